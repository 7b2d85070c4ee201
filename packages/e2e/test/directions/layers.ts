/** Each package may import those before it. */
const line =
  "values errors fairness inputs proto processes access questions telemetry rpc postgres plan-history jobs events service";

const linked = line.split(" ");
const upTo = (name: string): string[] => linked.slice(0, linked.indexOf(name) + 1);

/** The packages that production code of a process or package may import. */
export const packagesOf: Record<string, readonly string[]> = {
  ...Object.fromEntries(linked.map((name, place) => [`packages/${name}`, linked.slice(0, place)])),
  "packages/webhook-sender": upTo("telemetry"),
  "packages/respondent-page": upTo("questions"),
  "packages/provisioning": upTo("rpc"),
  "packages/sdk": [],
  "packages/command-line": ["provisioning"],
  "packages/cli": ["command-line", "provisioning", "sdk"],
  "packages/operator": [...upTo("rpc"), "provisioning", "command-line", "cli"],
  "packages/dev-env": [...upTo("postgres"), "provisioning", "operator"],
  services: [...upTo("service"), "webhook-sender"],
  gateway: [...upTo("rpc"), "events", "respondent-page"],
};

/** Packages of tests and test helpers. They may import every package, but production code must not import them. */
export const testPackages: readonly string[] = ["testing", "e2e", "bench"];

/** All imports that a domain folder may have besides itself: neither I/O nor the wire. */
export const domainImports: readonly string[] = [
  ...["values", "errors", "fairness", "inputs", "access", "questions"].map((name) => `@canvass/${name}`),
  "@canvass/values/embedding-origin",
  "@canvass/webhook-sender/webhook-url",
  "@canvass/webhook-sender/outcome",
  "cephes",
  "libphonenumber-js/min",
  "lru-cache",
  "node:crypto",
];

/** The file that imports only types, and those from every layer. */
export const typesOnly = "context.ts";

const serviceLayers = [
  ["domain", "gen"],
  ["storage", typesOnly],
  ["application"],
  ["config.ts"],
  ["rpc", "consumers", "purges.ts", "clock-repairs.ts", "transfer.ts"],
  ["service.ts"],
  ["main.ts", "index.ts"],
];

const gatewayLayers = [
  ["client-address", "event-limits.ts", "report"],
  ["config.ts", typesOnly],
  ["clients"],
  ["batches"],
  ["plugins"],
  ["routes"],
  ["app.ts"],
  ["service.ts"],
  ["main.ts", "index.ts", "write-document.ts"],
];

/** The parts of a process's `src` in layers. A part may import those of the layers before its own. */
export const layersOf = (process: string): readonly (readonly string[])[] =>
  process === "gateway" ? gatewayLayers : serviceLayers;
