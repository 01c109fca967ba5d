#!/usr/bin/env bash
# deps.sh GROUP…: installs the Debian packages that GROUPs (make, build, test, rest, bench, lint, abi, games, engines,
# coverage, fuzz, cross, web, python, blender, docs, hard, deb, systems, release, tutorials) lack. It looks for
# the files and programs, not for the packages. If nothing is missing, it prints nothing and does not use the network.
# With DEPS=no in the environment, it reports the missing packages, installs nothing and succeeds; CMake then reports
# the consequences.
set -euo pipefail

missing=()
lacks() { missing+=("$1"); }
need_command() { command -v "$1" >/dev/null 2>&1 || lacks "$2"; }
need_path() { [ -e "$1" ] || lacks "$2"; }
# need_library NAME PACKAGE: requires that the dynamic linker finds NAME.
need_library() { ldconfig -p 2>/dev/null | grep -q "$1" || lacks "$2"; }
# need_header NAME PACKAGE: requires that the C compiler finds <NAME>. Without a compiler, looks where Debian has headers.
need_header() {
    if command -v "${CC:-cc}" >/dev/null 2>&1; then
        printf '#include <%s>\n' stdarg.h stddef.h stdint.h setjmp.h "$1" |
            "${CC:-cc}" -E -x c - >/dev/null 2>&1 || lacks "$2"
    else
        [ -e "/usr/include/$1" ] || compgen -G "/usr/include/*-linux-*/$1" >/dev/null || lacks "$2"
    fi
}

need_group() {
    case $1 in
    make)
        need_command make make
        ;;
    build)
        need_group make
        need_command "${CC:-cc}" "${CC:-gcc}"
        need_command cmake cmake
        need_header stdio.h libc6-dev
        need_header stb/stb_image.h libstb-dev
        need_header jsmn.h libjsmn-dev
        need_header assimp/cimport.h libassimp-dev
        need_header meshoptimizer.h libmeshoptimizer-dev
        need_header EGL/egl.h libegl-dev
        need_header epoxy/egl.h libepoxy-dev
        need_header webp/mux.h libwebp-dev
        need_command pkg-config pkgconf
        need_path /usr/include/gtk-4.0/gtk/gtk.h libgtk-4-dev
        need_path /usr/include/libadwaita-1/adwaita.h libadwaita-1-dev
        need_command msgfmt gettext
        # the manual pages; libgtk-4-dev depends on it too
        need_command python3 python3
        ;;
    test)
        need_group build
        need_header cmocka.h libcmocka-dev
        need_command nm binutils
        need_command "${CXX:-c++}" g++
        need_library libEGL.so.1 libegl1
        need_path "/usr/lib/$(cc -print-multiarch 2>/dev/null)/dri/swrast_dri.so" libgl1-mesa-dri
        need_path /usr/share/assimp/models assimp-testmodels
        # tests/docs/test_examples.py
        need_command jq jq
        # tests/CMakeLists.txt
        need_path /usr/share/i18n/locales/de_DE locales
        need_command less less
        # tests/project/test_json.py
        need_path /usr/lib/python3/dist-packages/jsonschema python3-jsonschema
        # tests/project/test_packaging.py
        need_path /usr/lib/python3/dist-packages/yaml python3-yaml
        # tests/python
        need_group python
        # tests/python/test_python_package.py
        need_command mypy mypy
        # tests/project/test_headers.py
        need_command clang clang
        ;;
    rest)
        need_group test
        need_command valgrind valgrind
        need_command Xvfb xvfb
        need_command xdotool xdotool
        # tests/viewer/test_input.py
        need_command openbox openbox
        need_command xwd x11-apps
        # tests/viewer/test_accessible.py
        need_path /usr/lib/python3/dist-packages/pyatspi python3-pyatspi
        need_path /usr/libexec/at-spi-bus-launcher at-spi2-core
        need_command dbus-run-session dbus-daemon
        need_command xauth xauth
        # tests/web/page.mjs
        need_command chromium chromium
        compgen -G '/usr/lib/*/gdk-pixbuf-2.0/*/loaders/libpixbufloader-svg.so' >/dev/null ||
            lacks librsvg2-common
        need_group node
        need_group web
        # tests/tool/test_manual.py
        need_command mandoc mandoc
        # tests/gl/test_desktop.py
        need_command desktop-file-validate desktop-file-utils
        need_command appstreamcli appstream
        need_command update-mime-database shared-mime-info
        need_command gio libglib2.0-bin
        need_command rsvg-convert librsvg2-bin
        ;;
    cross)
        need_group hard
        # scripts/test_windows.sh
        need_command x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
        need_path /usr/lib/wine/wine64 wine64
        need_command s390x-linux-gnu-gcc gcc-s390x-linux-gnu
        need_path /usr/s390x-linux-gnu/include/stdio.h libc6-dev-s390x-cross
        need_command i686-linux-gnu-gcc gcc-i686-linux-gnu
        need_path /usr/i686-linux-gnu/include/stdio.h libc6-dev-i386-cross
        need_command arm-linux-gnueabihf-gcc gcc-arm-linux-gnueabihf
        need_path /usr/arm-linux-gnueabihf/include/stdio.h libc6-dev-armhf-cross
        ;;
    node)
        need_command node nodejs
        need_command npm npm
        ;;
    web)
        need_group make
        need_command clang clang
        need_command wasm-ld lld
        need_path /usr/include/wasm32-wasi wasi-libc
        compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/wasi' >/dev/null || lacks libclang-rt-dev-wasm32
        need_path /usr/include/stb/stb_image.h libstb-dev
        need_path /usr/include/jsmn.h libjsmn-dev
        need_command wasm-opt binaryen
        need_command zopfli zopfli
        need_command esbuild esbuild
        need_command node nodejs
        need_command npm npm
        ;;
    python)
        need_path /usr/bin/python3 python3
        need_path /usr/lib/python3/dist-packages/cffi python3-cffi
        need_path /usr/lib/python3/dist-packages/numpy python3-numpy
        need_path /usr/lib/python3/dist-packages/setuptools python3-setuptools
        need_path /usr/lib/python3/dist-packages/wheel python3-wheel
        need_path /usr/lib/python3/dist-packages/pip python3-pip
        compgen -G '/usr/include/python3*/Python.h' >/dev/null || lacks python3-dev
        ;;
    blender)
        need_group python
        need_command blender blender
        need_command Xvfb xvfb
        need_command xvfb-run xvfb
        need_command xauth xauth # of xvfb-run
        ;;
    docs)
        need_group make
        need_command python3 python3
        need_command doxygen doxygen
        need_command sphinx-build python3-sphinx
        need_path /usr/lib/python3/dist-packages/myst_parser python3-myst-parser
        need_path /usr/lib/python3/dist-packages/breathe python3-breathe
        need_path /usr/lib/python3/dist-packages/furo furo
        need_path /usr/share/javascript/normalize.css/normalize.css node-normalize.css
        need_command esbuild esbuild
        ;;
    hard)
        need_group rest
        # tests/web/test_web_firefox.mjs
        need_command firefox-esr firefox-esr
        # tests/project/test_docs_site.py
        need_group docs
        # tests/examples/test_vat_godot.py
        need_command godot3 godot3
        # tests/project/test_cross.sh
        need_command aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
        need_path /usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross
        need_command qemu-aarch64 qemu-user
        need_command clang clang
        compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.msan*' >/dev/null ||
            lacks libclang-rt-dev
        ;;
    games)
        need_path /usr/share/games/openarena/baseoa/pak0.pk3 openarena-data
        need_path /usr/share/games/openarena/baseoa/pak6-patch088.pk3 openarena-088-data
        need_path /usr/share/games/ufoai/base/0models.pk3 ufoai-data
        ;;
    engines)
        need_command Xvfb xvfb
        need_command xauth xauth
        need_command python3 python3
        need_path /usr/lib/ioquake3/ioquake3 ioquake3
        need_path /usr/lib/openarena/baseoa openarena
        need_path /usr/games/ufoai ufoai
        need_path /usr/games/darkplaces darkplaces
        need_path /usr/share/games/nexuiz/data/data.pk3 nexuiz-data
        need_path /usr/share/games/nexuiz/data/textures.pk3 nexuiz-textures
        need_command fteqcc fteqcc
        need_command blender blender
        need_path /usr/lib/python3/dist-packages/numpy python3-numpy # the exporter of glTF
        need_path /usr/share/games/ufoai/base/0models.pk3 ufoai-data
        ;;
    tutorials)
        need_group rest
        need_group web
        need_group games
        need_group blender # numpy is also for its exporter of glTF
        need_path /usr/lib/ioquake3/ioquake3 ioquake3
        need_path /usr/lib/openarena/baseoa openarena
        need_command godot3 godot3
        need_path /usr/include/SDL2/SDL.h libsdl2-dev
        ;;
    bench)
        need_group build
        need_path /usr/include/assimp/cimport.h libassimp-dev
        need_path /usr/share/assimp/models assimp-testmodels
        ;;
    lint)
        need_header cmocka.h libcmocka-dev # clang-tidy also reads the tests
        need_command python3 python3
        # the same version on all systems: every version formats differently
        need_command clang-format-19 clang-format-19
        need_command clang-tidy-19 clang-tidy-19
        ;;
    abi)
        need_command abidiff abigail-tools
        ;;
    deb)
        need_group build
        need_group python
        need_command dh_python3 dh-python
        need_command dpkg-buildpackage dpkg-dev
        need_path /usr/share/build-essential build-essential
        need_command dh debhelper
        need_command lintian lintian
        ;;
    systems)
        need_command git git
        need_command mmdebstrap mmdebstrap
        need_command dpkg-scanpackages dpkg-dev
        ;;
    release)
        need_group deb
        need_group docs
        need_group web
        need_command npm npm
        need_command x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
        need_command desktop-file-validate desktop-file-utils
        # packaging/appimage/appdir.sh
        need_path /usr/share/icons/Adwaita adwaita-icon-theme
        need_path /usr/share/icons/hicolor/index.theme hicolor-icon-theme
        need_command zip zip
        need_command unzip unzip
        ;;
    coverage)
        need_group rest
        need_command gcovr gcovr
        ;;
    fuzz)
        need_group build
        need_command clang clang
        if ! compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer*' >/dev/null; then
            lacks libclang-rt-dev
        fi
        ;;
    *)
        echo "deps.sh: unknown group '$1'" >&2
        exit 2
        ;;
    esac
}

find_missing() {
    missing=()
    local group
    for group in "$@"; do
        need_group "$group"
    done
}

find_missing "$@"
[ ${#missing[@]} -gt 0 ] || exit 0

packages=$(printf '%s\n' "${missing[@]}" | sort -u | tr '\n' ' ')
packages=${packages% }
[[ " $* " != *" web "* ]] || echo "make web needs Debian's packages $packages, or your system's equivalents"
if [ "${DEPS:-yes}" = no ]; then
    echo "Not installed, because DEPS=no: $packages"
    exit 0
fi
give_up() {
    echo "Missing Debian packages: $packages" >&2
    echo "$1 Install the packages, or your system's equivalents. DEPS=no builds without those that are optional." >&2
    exit 1
}

as_root=()
command -v apt-get >/dev/null 2>&1 || give_up "This system has no apt-get."
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || give_up "You are not root, and sudo is not installed."
    as_root=(sudo)
fi

echo "Installing Debian packages: $packages"
"${as_root[@]}" apt-get update -qq || give_up "apt-get update failed."
# shellcheck disable=SC2086 # a list of words
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends $packages \
    >/dev/null || give_up "apt-get install failed."
hash -r
find_missing "$@"
[ ${#missing[@]} -eq 0 ] || give_up "They are installed, but the files of ${missing[*]} are still missing."
