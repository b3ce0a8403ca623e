# Read by ./start, ./check and install/service. Makes a virtual environment with tableside and what it needs.

# Tell what went wrong, where, and what to do next; then stop.
tableside_stop() { printf 'tableside setup: %s: %s. %s\n' "$1" "$2" "$3" >&2; exit 2; }

# What to do about a step that failed, by what .setup.log says of it.
tableside_hint() {
  case $(tail -n 40 "$here/.setup.log" 2>/dev/null) in
    *'No space left'*) printf 'The disk is full: make room and try again.' ;;
    *'Could not get lock'* | *'Unable to acquire the dpkg'*) printf 'Another program installs packages: try again when it has ended.' ;;
    *'No module named pip'* | *ensurepip*) printf 'This Python lacks pip: on Debian, sudo apt-get install python3-venv.' ;;
    *'ermission denied'*) printf 'Give %s to the user who runs this, or run it as its owner.' "$here" ;;
    *resolv* | *'nreachable'* | *'onnection'* | *'imed out'*) printf 'Is the network up?' ;;
    *) printf 'See .setup.log.' ;;
  esac
}

# Wait for another program that installs packages, such as the system's daily upgrades, and say for which.
tableside_wait_for_apt() {
  local lock pid='' waited=0
  while [ "$waited" -lt "${apt_seconds:=300}" ]; do
    for lock in "${apt_locks:=/var/lib/dpkg}"/lock-frontend "$apt_locks"/lock "${apt_locks%dpkg}apt/lists/lock"; do
      pid=$(awk -v at=":$(stat -c %i "$lock" 2>/dev/null)$" '$6 ~ at { print $5; exit }' /proc/locks 2>/dev/null) || pid=''
      [ -z "$pid" ] || break
    done
    [ -n "$pid" ] || return 0
    [ "$waited" -gt 0 ] || printf 'Waiting for %s (process %s), which installs packages, for up to %s s ...\n' "$(cat "/proc/$pid/comm" 2>/dev/null)" "$pid" "$apt_seconds" >&2
    sleep 1
    waited=$((waited + 1))
  done
  tableside_stop "$lock" "is still held by $(cat "/proc/$pid/comm" 2>/dev/null) (process $pid)" 'Try again when that has ended.'
}

# Whether a Debian package is installed, by its own name or by one that stands for it.
tableside_has() {
  dpkg-query -W -f='${Status} ${Provides}\n' "$1" 2>/dev/null | grep -q 'ok installed' ||
    dpkg-query -W -f='${db:Status-Abbrev}${Provides}\n' 2>/dev/null | grep -q "^ii .*\b$1 "
}

# Install Debian packages, as root or by sudo.
tableside_apt() {
  local missing=() package root=()
  for package in "$@"; do
    tableside_has "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || tableside_stop "${missing[*]}" 'these packages are missing' "As root: apt-get install ${missing[*]}"
    root=(sudo)
  fi
  tableside_wait_for_apt
  printf 'Installing %s ...\n' "${missing[*]}" >&2
  "${root[@]}" apt-get update -qq >&2 || true
  # one that began meanwhile is waited for, too
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout="$apt_seconds" \
    "${missing[@]}" >/dev/null 2>"$here/.setup.log" || {
    tail -n 5 "$here/.setup.log" >&2
    tableside_stop "${missing[*]}" 'these packages could not be installed' "$(tableside_hint) By hand: sudo apt-get install ${missing[*]}"
  }
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

# Whether this is a Raspberry Pi with its own packages: a Pi that runs plain Debian has no python3-picamera2.
tableside_on_pi() {
  grep -qs 'Raspberry Pi' "${TABLESIDE_MODEL:-/proc/device-tree/model}" && apt-cache show python3-picamera2 >/dev/null 2>&1
}

# Install the Debian packages, and find Python: sets $python and, on a Pi, $on_pi.
tableside_packages() {
  on_pi=''
  if command -v apt-get >/dev/null; then
    # the libraries that OpenCV's wheel expects of a desktop, and Debian's separate venv module
    tableside_apt libgl1 libxcb1 libglib2.0-0 $(tableside_python >/dev/null || echo python3)
    python=$(tableside_python) || tableside_stop python3 'Python 3.11 or newer is missing' 'Install Debian 12 or Raspberry Pi OS Bookworm, or newer.'
    "$python" -c 'import ensurepip' 2>/dev/null || tableside_apt python3-venv
    if tableside_on_pi; then
      on_pi=yes
      # the venv sees the system's libcamera, which only the system's own Python can load
      python=/usr/bin/python3
      "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        tableside_stop "$python" 'Python 3.11 or newer is missing' 'Install Raspberry Pi OS Bookworm or newer.'
      tableside_apt python3-picamera2 python3-lgpio
    fi
  else
    python=$(tableside_python) || tableside_stop python3 'Python 3.11 or newer is missing' 'Install it and try again.'
  fi
}

# Whether the system's packages, which $venv sees, are all that the extra pi asks for. What they lack pip would compile,
# without the libcamera that it needs.
tableside_has_pi_extra() {
  "$venv/bin/python" - "$here/pyproject.toml" <<'EOF'
import subprocess, sys, tomllib
with open(sys.argv[1], "rb") as file:
    asked = tomllib.load(file)["project"]["optional-dependencies"]["pi"]
sys.exit(subprocess.call([sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-index", *asked]))
EOF
}

# Make the virtual environment $venv, which is not there, and install tableside into it, in the versions of the file
# $constraints if it is set. $1: what pip installs, $2: extras or nothing
tableside_install() {
  local what=$1 extra=$2 site=()
  if [ -n "$on_pi" ]; then site=(--system-site-packages); fi
  "$python" -m venv "${site[@]}" "$venv" >"$here/.setup.log" 2>&1 || {
    tail -n 5 "$here/.setup.log" >&2
    tableside_stop "$venv" 'the virtual environment could not be made' "$(tableside_hint)"
  }
  if [ -n "$on_pi" ]; then
    if tableside_has_pi_extra >"$here/.setup.log" 2>&1; then extra=${extra:+$extra,}pi; else
      tail -n 1 "$here/.setup.log" >&2
      printf 'The system has an old or incomplete picamera2, which is used as it is. Should the camera not work: sudo apt-get update && sudo apt-get full-upgrade\n' >&2
    fi
  fi
  printf 'Setting up tableside (once, about a minute) ...\n' >&2
  (cd "$here" && "$venv/bin/python" -m pip install --quiet --disable-pip-version-check ${constraints:+--constraint "$constraints"} $what"${extra:+[$extra]}") >"$here/.setup.log" 2>&1 || {
    tail -n 5 "$here/.setup.log" >&2
    tableside_stop "$venv" 'the Python packages could not be installed' "$(tableside_hint)"
  }
}

# Whether .venv is whole, of this pyproject.toml, and has these extras. Its file .whole names what it has. $1: extras or nothing
tableside_is_set_up() {
  local extra
  cmp -s "$venv/.pyproject.toml" "$here/pyproject.toml" && "$venv/bin/python" -c '' 2>/dev/null || return 1
  for extra in ${1//,/ }; do
    case ",$(cat "$venv/.whole")," in *",$extra,"*) ;; *) return 1 ;; esac
  done
}

# Let a virtual environment that is whole, .venv.new, be .venv. Whoever finds one half moved moves it.
tableside_take() {
  rm -rf "$here/.venv.old"
  [ ! -e "$here/.venv" ] || mv "$here/.venv" "$here/.venv.old"
  mv "$here/.venv.new" "$here/.venv"
  rm -rf "$here/.venv.old"
}

# Set this folder up, after whoever does so already. $1: an extra of pyproject.toml, or nothing
tableside_setup() {
  if command -v flock >/dev/null; then
    exec 9<"$here"
    flock -n 9 || {
      printf 'Another start sets this folder up: waiting for it ...\n' >&2
      flock 9 || true  # a disk without locks
    }
  fi
  tableside_make "$1"
  exec 9<&-
}

# Make .venv where it is not whole, beside the one that is there. $1: as above
tableside_make() {
  local extras=$1
  export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
  venv=$here/.venv
  if [ -e "$here/.venv.new/.whole" ]; then
    printf 'Setting up was cut short, and is done now.\n' >&2
    tableside_take
  fi
  [ ! -e "$venv" ] || rm -rf "$here/.venv.old"
  if tableside_is_set_up "$extras"; then return 0; fi
  tableside_packages
  rm -rf "$here/.venv.new"
  if [ -s "$venv/.whole" ]; then extras=$(printf '%s,%s' "$extras" "$(cat "$venv/.whole")" | tr ',' '\n' | sort -u | grep . | paste -sd, -); fi
  venv=$here/.venv.new
  tableside_install '--editable .' "$extras"
  if [[ ",$extras," == *,dev,* ]] && [ -z "$on_pi" ]; then
    # without what it needs of the system, which would have to be compiled: the tests put a stand-in below it
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps 'picamera2>=0.3.30' >>"$here/.setup.log" 2>&1 ||
      printf 'picamera2 could not be installed: the tests of the Pi camera are skipped. See .setup.log.\n' >&2
  fi
  # its programs begin with the path at which they will be
  "$venv/bin/python" - "$venv" <<'EOF'
import pathlib, sys
venv = pathlib.Path(sys.argv[1])
for file in (venv / "pyvenv.cfg", *(venv / "bin").iterdir()):
    content = b"" if file.is_symlink() or not file.is_file() else file.read_bytes()
    if b".venv.new" in content and b"\0" not in content:
        file.write_bytes(content.replace(b".venv.new", b".venv"))
EOF
  cp "$here/pyproject.toml" "$venv/.pyproject.toml"
  sync
  printf '%s' "$extras" >"$venv/.making"
  mv "$venv/.making" "$venv/.whole"
  venv=$here/.venv
  tableside_take
}
