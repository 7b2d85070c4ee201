import { dirname, join } from "node:path/posix";
import { domainImports, layersOf, packagesOf, testPackages, typesOnly } from "./layers.ts";

/** Why a file (path from the workspace's root) must not import the specifier; undefined if it may. */
export function refusedImport(file: string, specifier: string): string | undefined {
  const from = homeOf(file);
  const path = specifier.startsWith(".") ? join(dirname(file), specifier) : undefined;
  const to = path === undefined ? packageHome(specifier) : homeOf(path);
  if (to !== undefined && to !== from) {
    // Tests may share helpers across packages.
    if (path !== undefined && !isProduction(file) && !isProduction(path)) return undefined;
    if (path !== undefined) return "other packages are imported by their names";
    if (isProcess(to)) return "services and the gateway are never imported: call the RPC, or consume the event";
  }
  if (!isProduction(file)) return undefined;
  // A process reads its own version.
  if (path === `${from}/package.json`) return undefined;
  if (path !== undefined ? !isProduction(path) : isTestKit(specifier)) return "production code imports no test kit";
  if (to !== undefined && to !== from && !packagesMayMeet(from, to)) return `${from} stands below or beside ${to}`;
  return isProcess(from) ? refusedInside(from, file, specifier, path) : undefined;
}

function packagesMayMeet(from: string, to: string): boolean {
  const allowed = packagesOf[from.startsWith("services/") ? "services" : from];
  return allowed !== undefined && allowed.includes(to.slice("packages/".length));
}

function refusedInside(home: string, file: string, specifier: string, path: string | undefined): string | undefined {
  const part = partOf(home, file);
  if (path === undefined) {
    return part === "domain" && !domainImports.includes(specifier) ? "the domain is pure" : undefined;
  }
  const target = partOf(home, path);
  const [layer, targetLayer] = [layerOf(home, part), layerOf(home, target)];
  const isAllowed = part === target || (targetLayer >= 0 && (part === typesOnly || targetLayer < layer));
  return isAllowed ? undefined : `${part} of ${home} does not import ${target}`;
}

/** -1 for a part without a layer. */
const layerOf = (home: string, part: string): number => layersOf(home).findIndex((parts) => parts.includes(part));

/** The process or package that a file belongs to. */
function homeOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "gateway" ? first : `${first}/${second}`;
}

/** Undefined for third-party packages. */
function packageHome(specifier: string): string | undefined {
  const name = /^@canvass\/([^/]+)/.exec(specifier)?.[1];
  if (name === undefined || name === "gateway") return name;
  return name.endsWith("-service") ? `services/${name.slice(0, -"-service".length)}` : `packages/${name}`;
}

const isProcess = (home: string): boolean => home === "gateway" || home.startsWith("services/");

function isProduction(path: string): boolean {
  if (testPackages.includes(homeOf(path).slice("packages/".length))) return false;
  return /^(gateway|(services|packages)\/[^/]+)\/(src|gen)\//.test(path) && !/\.(test|nightly)\.ts$/.test(path);
}

const isTestKit = (specifier: string): boolean =>
  testPackages.some((name) => `${specifier}/`.startsWith(`@canvass/${name}/`)) ||
  /^@canvass\/[^/]+\/testing$|^(vitest|fast-check)(\/|$)/.test(specifier);

/** The file's first folder below `src`, or its name. */
const partOf = (home: string, path: string): string =>
  path
    .slice(home.length + 1)
    .replace(/^src\//, "")
    .split("/", 1)[0]!;
