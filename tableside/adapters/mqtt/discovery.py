"""What Home Assistant is told of a table: one device with its entities (MQTT device discovery, 2024.11 and newer)."""

from __future__ import annotations

from typing import Any

from tableside import __version__


def discovery_json(*, name: str, slug: str, base: str, commands: bool, url: str | None) -> dict[str, Any]:
    """Return the device's configuration, in the abbreviations of Home Assistant.

    :param base: what the table's topics begin with.
    :param commands: whether there are buttons; where not, they are taken away if they were there.
    :param url: where a browser finds the table.
    """
    device = f"tableside_{slug.replace('-', '_')}"
    state = f"{base}/state"
    dev: dict[str, Any] = {"ids": [device], "name": name, "mf": "tableside", "mdl": "Dice tray", "sw": __version__}
    if url:
        dev["cu"] = url
    components: dict[str, dict[str, Any]] = {
        "result": {
            "p": "sensor",
            "name": "Last result",
            "ic": "mdi:dice-multiple",
            "stat_t": state,
            "val_tpl": "{{ (value_json.result.headline if value_json.result.sure else 'Being asked') "
            "if value_json.result else none }}",
            "json_attr_t": state,
            "json_attr_tpl": "{{ (value_json.result or {}) | tojson }}",
        },
        "roll": {
            "p": "event",
            "name": "Roll",
            "ic": "mdi:dice-d8",
            "stat_t": f"{base}/event",
            "event_types": ["roll", "amendment", "withdrawn", "destiny"],
        },
        "light": _points("Light points", "mdi:white-balance-sunny", state, "light"),
        "dark": _points("Dark points", "mdi:weather-night", state, "dark"),
        "destiny": _lit(state, base),
        "triumph": _mood("Triumph", "mdi:star-four-points", state, "triumph"),
        "despair": _mood("Despair", "mdi:skull", state, "despair"),
        "doubt": {
            "p": "binary_sensor",
            "name": "In doubt",
            "ic": "mdi:help-circle-outline",
            "stat_t": state,
            "val_tpl": "{{ 'ON' if value_json.result and not value_json.result.sure else 'OFF' }}",
        },
        "camera": {
            "p": "binary_sensor",
            "name": "Camera",
            "dev_cla": "problem",
            "ent_cat": "diagnostic",
            "stat_t": state,
            "val_tpl": "{{ 'ON' if value_json.phase == 'no_camera' or "
            "'camera' in value_json.trouble | map(attribute='part') | list else 'OFF' }}",
        },
        "flip_light": _button("Spend a light point", "mdi:white-balance-sunny", base, "light", commands),
        "flip_dark": _button("Spend a dark point", "mdi:weather-night", base, "dark", commands),
    }
    for key, component in components.items():
        if len(component) > 1:
            component |= {"uniq_id": f"{device}_{key}", "qos": 1}
    return {
        "dev": dev,
        "o": {"name": "tableside", "sw": __version__, **({"url": url} if url else {})},
        "cmps": components,
        "avty_t": f"{base}/availability",
    }


def _points(title: str, icon: str, topic: str, side: str) -> dict[str, Any]:
    return {
        "p": "sensor",
        "name": title,
        "ic": icon,
        "stat_cla": "measurement",
        "stat_t": topic,
        "val_tpl": f"{{{{ value_json.destiny.{side} }}}}",
    }


def _lit(topic: str, base: str) -> dict[str, Any]:
    """The pool as a lamp: the share of its light points is the brightness.

    A lamp of Home Assistant has to have a topic of commands. Nobody reads this one: a scene that switches a whole house
    off spends no point.
    """
    return {
        "p": "light",
        "schema": "template",
        "name": "Destiny",
        "ic": "mdi:yin-yang",
        "cmd_t": f"{base}/ignored",
        "cmd_on_tpl": "on",
        "cmd_off_tpl": "off",
        "stat_t": topic,
        "state_template": "{{ 'on' if value_json.destiny.light > 0 else 'off' }}",
        "bri_tpl": "{{ (255 * value_json.destiny.light / "
        "[1, value_json.destiny.light + value_json.destiny.dark] | max) | round | int }}",
    }


def _mood(title: str, icon: str, topic: str, mood: str) -> dict[str, Any]:
    template = f"{{{{ 'ON' if value_json.result and '{mood}' in value_json.result.moods else 'OFF' }}}}"
    return {"p": "binary_sensor", "name": title, "ic": icon, "stat_t": topic, "val_tpl": template}


def _button(title: str, icon: str, base: str, side: str, is_there: bool) -> dict[str, Any]:
    if not is_there:
        return {"p": "button"}  # a component of its platform alone is taken away
    press = f'{{"do": "spend", "side": "{side}", "id": "{{{{ now().isoformat() }}}}"}}'
    return {"p": "button", "name": title, "ic": icon, "cmd_t": f"{base}/command", "cmd_tpl": press}
