#!/bin/sh
# Makes the whole file tree of an image, from an installed checkout with generated code. Dockerfile and tests both run
# this.
# Usage, at the root of the checkout: sh deploy/docker/assemble.sh <process, or operator> <new folder>
set -eu

process=$1
case $process in
  gateway) folder=gateway main=src/main.ts ;;
  operator) folder=packages/operator main=src/bin/canvass.ts ;;
  *) folder=services/$process main=src/main.ts ;;
esac
mkdir -p "$2/app" "$2/data" "$2/usr/local/bin" "$2/etc" "$2/proc" "$2/run" "$2/tmp"
tree=$(cd "$2" && pwd)
pruned=$(mktemp -d)
trap 'rm -rf "$pruned"' EXIT
export PATH="$PWD/node_modules/.bin:$PATH" DO_NOT_TRACK=1 TURBO_TELEMETRY_DISABLED=1
command -v pnpm >/dev/null || pnpm() { npx -y pnpm@12 "$@"; }

# The packages that the process imports, and what production installs of them.
name=$(node -p "require('./$folder/package.json').name")
turbo prune "$name" --production --docker --out-dir "$pruned" >"$pruned/log" || { cat "$pruned/log" >&2; exit 1; }
cp -R "$pruned/json/." "$tree/app"
(cd "$tree/app" && pnpm install --prod --frozen-lockfile --prefer-offline --reporter=silent)
cp -R "$pruned/full/." "$tree/app"
for own in gateway services/* packages/*; do
  if [ -d "$tree/app/$own" ] && [ -d "$own/gen" ]; then cp -R "$own/gen" "$tree/app/$own"; fi
done

# What no process reads: tests, settings of tools, types, and Prisma's compilers as text, of which the generated client
# has its own.
cd "$tree/app"
rm -rf gateway/test gateway/gen services/*/test packages/*/test packages/*/test-kit
rm -f pnpm-lock.yaml pnpm-workspace.yaml turbo.json gateway/turbo.json packages/*/turbo.json node_modules/.modules.yaml node_modules/.pnpm-workspace-state*.json
find gateway services packages \( -name '*.test.ts' -o -name '*.nightly.ts' \) -not -path '*/node_modules/*' -exec rm -f {} + 2>/dev/null || true
find node_modules/.pnpm \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -type f -exec rm -f {} +
rm -rf node_modules/.pnpm/node_modules/.bin node_modules/.bin
rm -f node_modules/.pnpm/@prisma+client@*/node_modules/@prisma/client/runtime/query_compiler_*.wasm-base64.*

# The same words run any process, and the migrations of any service.
ln -s "$folder/$main" main.ts
if [ -d "$folder/prisma/migrations" ]; then
  ln -s packages/postgres/src/bin/migrate.ts migrate.ts
  ln -s "$folder/prisma/migrations" migrations
fi
cd - >/dev/null
cp deploy/docker/check-ready.ts "$tree/app"

# Node and its libraries: no shell, no package manager.
node=$(node -p process.execPath)
cp "$node" "$tree/usr/local/bin/node"
ldd "$node" | grep -o '/[^ )]*' | while read -r library; do
  mkdir -p "$tree$(dirname "$library")"
  cp -L "$library" "$tree$library"
done
echo 'canvass:x:65532:65532::/:/sbin/nologin' >"$tree/etc/passwd"
echo 'canvass:x:65532:' >"$tree/etc/group"
echo 'hosts: files dns' >"$tree/etc/nsswitch.conf"
chmod 1777 "$tree/tmp"
