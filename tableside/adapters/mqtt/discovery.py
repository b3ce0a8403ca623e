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
    destiny = "value_json.destiny"
    seen = {
        "result": _entity(
            "sensor",
            "Last result",
            "dice-multiple",
            val_tpl="{{ (value_json.result.headline if value_json.result.sure else 'Being asked') "
            "if value_json.result else none }}",
            json_attr_t=state,
            json_attr_tpl="{{ (value_json.result or {}) | tojson }}",
        ),
        "light": _points("Light points", "white-balance-sunny", "light"),
        "dark": _points("Dark points", "weather-night", "dark"),
        # The pool as a lamp: the share of its light points is the brightness. A lamp of Home Assistant has to have a
        # topic of commands. Nobody reads this one: a scene that switches a whole house off spends no point.
        "destiny": _entity(
            "light",
            "Destiny",
            "yin-yang",
            schema="template",
            cmd_t=f"{base}/ignored",
            cmd_on_tpl="on",
            cmd_off_tpl="off",
            state_template=f"{{{{ 'on' if {destiny}.light > 0 else 'off' }}}}",
            bri_tpl=f"{{{{ (255 * {destiny}.light / [1, {destiny}.light + {destiny}.dark] | max) | round | int }}}}",
        ),
        "triumph": _mood("Triumph", "star-four-points", "'triumph' in value_json.result.moods"),
        "despair": _mood("Despair", "skull", "'despair' in value_json.result.moods"),
        "doubt": _mood("In doubt", "help-circle-outline", "value_json.now.name == 'doubt'"),
        "now": _entity(
            "sensor",
            "Next",
            "arrow-right-circle",
            val_tpl="{{ value_json.now.name }}",
            json_attr_t=state,
            json_attr_tpl="{{ value_json.now | tojson }}",
        ),
        "camera": {
            "p": "binary_sensor",
            "name": "Camera",
            "dev_cla": "problem",
            "ent_cat": "diagnostic",
            "val_tpl": "{{ 'ON' if value_json.phase == 'no_camera' or "
            "'camera' in value_json.trouble | map(attribute='part') | list else 'OFF' }}",
        },
    }
    events = ["roll", "amendment", "withdrawn", "destiny"]
    components = {
        **{key: entity | {"stat_t": state} for key, entity in seen.items()},
        "roll": _entity("event", "Roll", "dice-d8", stat_t=f"{base}/event", event_types=events),
    }
    for side, icon in (("light", "white-balance-sunny"), ("dark", "weather-night")):
        press = f'{{"do": "spend", "side": "{side}", "id": "{{{{ now().isoformat() }}}}"}}'
        title = f"Spend a {side} point"
        button = _entity("button", title, icon, cmd_t=f"{base}/command", cmd_tpl=press)
        components[f"flip_{side}"] = button if commands else {"p": "button"}  # of its platform alone it is taken away
    for key, component in components.items():
        if len(component) > 1:
            component |= {"uniq_id": f"{device}_{key}", "qos": 1}
    return {
        "dev": dev,
        "o": {"name": "tableside", "sw": __version__, **({"url": url} if url else {})},
        "cmps": components,
        "avty_t": f"{base}/availability",
    }


def _entity(platform: str, name: str, icon: str, **more: Any) -> dict[str, Any]:
    return {"p": platform, "name": name, "ic": f"mdi:{icon}", **more}


def _points(name: str, icon: str, side: str) -> dict[str, Any]:
    return _entity("sensor", name, icon, stat_cla="measurement", val_tpl=f"{{{{ value_json.destiny.{side} }}}}")


def _mood(name: str, icon: str, holds: str) -> dict[str, Any]:
    """Return what is on while this holds, once there is a result."""
    return _entity("binary_sensor", name, icon, val_tpl=f"{{{{ 'ON' if value_json.result and {holds} else 'OFF' }}}}")
