# Read by the trials. Makes a Debian root of another architecture or suite, and runs commands in it; nothing of it is
# needed to install or run tableside. Needs root, debootstrap and, for arm64 on another machine, qemu-user-static.

trial_stop() { printf '%s: %s. %s\n' "$1" "$2" "$3" >&2; exit 2; }

trial_say() { printf '== %s\n' "$*" >&2; }

# The mirror that this machine uses itself.
trial_mirror() {
  local found
  found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed -n -e 's/^URIs: *\(http[^ ]*\).*/\1/p' -e 's/^deb \(\[[^]]*\] \)\{0,1\}\(http[^ ]*\).*/\2/p' |
    grep -v -e security -e updates) || true
  printf '%s\n' "${found%%$'\n'*}"
}

# Let the kernel run programs of arm64 by qemu, as Debian's package registers it where systemd runs.
trial_emulate() {
  local binfmt=/proc/sys/fs/binfmt_misc
  [ "$(dpkg --print-architecture)" != arm64 ] || return 0
  [ -e /usr/bin/qemu-aarch64-static ] || trial_stop qemu-aarch64-static 'is missing' 'apt-get install qemu-user-static'
  [ -e "$binfmt/register" ] || mount -t binfmt_misc none "$binfmt" ||
    trial_stop "$binfmt" 'cannot be mounted' 'Run this as root, in no unprivileged container.'
  [ -e "$binfmt/qemu-aarch64" ] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >"$binfmt/register"
}

# Make the root DIR of SUITE and ARCH with these PACKAGES, unless it is there. $1 SUITE $2 ARCH $3 DIR $4 PACKAGES
trial_root() {
  local suite=$1 arch=$2 dir=$3 packages=$4 mirror
  [ "$(id -u)" -eq 0 ] || trial_stop "$dir" 'only root can make a root' 'Use sudo.'
  command -v debootstrap >/dev/null || trial_stop debootstrap 'is missing' 'apt-get install debootstrap'
  [ "$arch" != arm64 ] || trial_emulate
  if [ ! -e "$dir/.made" ]; then
    mirror=$(trial_mirror)
    trial_say "debootstrap $suite $arch in $dir"
    debootstrap --arch="$arch" --variant=minbase --include="$packages" "$suite" "$dir" "$mirror" >"$dir.log" 2>&1 ||
      trial_stop "$dir" 'debootstrap failed' "See $dir.log."
    # what this machine reaches the network by
    cp /etc/hosts /etc/resolv.conf "$dir/etc/"
    mkdir -p "$dir/etc/ssl/certs"
    cp -L /etc/ssl/certs/ca-certificates.crt "$dir/etc/ssl/certs/" 2>/dev/null || true
    touch "$dir/.made"
  fi
}

# Run a command in the root. $1 DIR, the rest: the command
trial_in() {
  local dir=$1
  shift
  mountpoint -q "$dir/proc" || mount -t proc proc "$dir/proc"
  # a slave: what is unmounted here must stay mounted outside
  mountpoint -q "$dir/dev" || { mount --rbind /dev "$dir/dev" && mount --make-rslave "$dir/dev"; }
  env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore \
    PIP_NO_CACHE_DIR=1 TRIAL=1 ${TRIAL_ENV:-} chroot "$dir" "$@"
}

# Give back what was mounted. $1 DIR
trial_leave() {
  umount -R "$1/dev" 2>/dev/null || true
  umount "$1/proc" 2>/dev/null || true
}
