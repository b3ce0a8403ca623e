# Read by ./start and ./check. Makes .venv in the checkout and installs tableside and what it needs. Runs again only
# after a change of pyproject.toml.

# Tell what went wrong, where, and what to do next; then stop.
tableside_stop() { printf 'tableside setup: %s: %s. %s\n' "$1" "$2" "$3" >&2; exit 2; }

# Install Debian packages, as root or by sudo.
tableside_apt() {
  local missing=() package root=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || tableside_stop "${missing[*]}" 'these packages are missing' "As root: apt-get install ${missing[*]}"
    root=(sudo)
  fi
  printf 'Installing %s ...\n' "${missing[*]}" >&2
  "${root[@]}" apt-get update -qq >&2 || true
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>"$here/.setup.log" ||
    tableside_stop "${missing[*]}" 'these packages could not be installed' "See .setup.log, or run: sudo apt-get install ${missing[*]}"
}

# Choose a Python of at least 3.11.
tableside_python() {
  local candidate
  for candidate in python3 python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"; return
    fi
  done
  return 1
}

tableside_setup() {  # $1: an extra of pyproject.toml, or nothing
  local extra=$1 python stamp site=() on_pi='' wanted=.
  venv="$here/.venv"
  stamp="$venv/.installed-${extra:-plain}"
  export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
  if [ -f "$stamp" ] && cmp -s "$stamp" "$here/pyproject.toml"; then return 0; fi
  if command -v apt-get >/dev/null; then
    # the libraries that OpenCV's wheel expects of a desktop, and Debian's separate venv module
    tableside_apt libgl1 libxcb1 libglib2.0-0 $(tableside_python >/dev/null || echo python3)
    python=$(tableside_python) || tableside_stop python3 'Python 3.11 or newer is missing' 'Install Debian 12 or Raspberry Pi OS Bookworm, or newer.'
    "$python" -c 'import ensurepip' 2>/dev/null || tableside_apt python3-venv
    if grep -qs 'Raspberry Pi' /proc/device-tree/model; then
      on_pi=yes
      tableside_apt python3-picamera2 python3-lgpio
    fi
  else
    python=$(tableside_python) || tableside_stop python3 'Python 3.11 or newer is missing' 'Install it and try again.'
  fi
  if [ -n "$on_pi" ]; then site=(--system-site-packages); extra=${extra:+$extra,}pi; fi
  [ -x "$venv/bin/python" ] || "$python" -m venv "${site[@]}" "$venv" ||
    tableside_stop "$venv" 'the virtual environment could not be made' 'Remove .venv and try again.'
  [ -z "$extra" ] || wanted=".[$extra]"
  printf 'Setting up tableside (once, about a minute) ...\n' >&2
  (cd "$here" && "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$wanted") >"$here/.setup.log" 2>&1 || {
    tail -n 5 "$here/.setup.log" >&2
    tableside_stop "$venv" 'the Python packages could not be installed' 'See .setup.log; is the network up?'
  }
  if [ "$1" = dev ] && [ -z "$on_pi" ]; then
    # without what it needs of the system, which would have to be compiled: the tests put a stand-in below it
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps 'picamera2>=0.3.30' >>"$here/.setup.log" 2>&1 ||
      printf 'picamera2 could not be installed: the tests of the Pi camera are skipped. See .setup.log.\n' >&2
  fi
  cp "$here/pyproject.toml" "$stamp"
}
