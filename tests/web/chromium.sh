#!/usr/bin/env sh
# Installs Debian's chromium for the tests of the page, if it is missing and can be. Where it cannot, those tests
# are skipped, and say so.
for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing chromium for the tests of the page ..."
  export DEBIAN_FRONTEND=noninteractive
  timeout 300 apt-get -qq update &&
    timeout 300 apt-get -qq install -y --no-install-recommends chromium >/dev/null && exit 0
fi
echo "There is no chromium, and it cannot be installed here: the tests of the page are skipped." >&2
