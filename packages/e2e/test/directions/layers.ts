/** A package of this line imports only what stands before it. */
const line = [
  "errors",
  "inputs",
  "proto",
  "processes",
  "access",
  "questions",
  "telemetry",
  "rpc",
  "postgres",
  "jobs",
  "events",
  "service",
] as const;

type Linked = (typeof line)[number];
const before = (name: Linked): string[] => line.slice(0, line.indexOf(name));
const upTo = (name: Linked): string[] => [...before(name), name];

/** The packages that production code of a process or package may import. */
export const packagesOf: Record<string, readonly string[]> = {
  ...Object.fromEntries(line.map((name) => [`packages/${name}`, before(name)])),
  "packages/webhook-sender": upTo("telemetry"),
  "packages/respondent-page": upTo("questions"),
  "packages/provisioning": upTo("rpc"),
  "packages/operator": [...upTo("rpc"), "provisioning"],
  "packages/dev-env": [...upTo("postgres"), "provisioning", "operator"],
  services: [...upTo("service"), "webhook-sender"],
  gateway: [...upTo("rpc"), "events", "respondent-page"],
};

/** Packages that hold tests and their kit. They import every package, and no production code imports them. */
export const testPackages: readonly string[] = ["testing", "e2e", "bench"];

/** All that a domain folder imports besides itself: neither I/O nor the wire. */
export const domainImports: readonly string[] = [
  "@canvass/errors",
  "@canvass/inputs",
  "@canvass/inputs/embedding-origin",
  "@canvass/access",
  "@canvass/questions",
  "@canvass/webhook-sender/webhook-url",
  "@canvass/webhook-sender/outcome",
  "libphonenumber-js/min",
  "lru-cache",
  "node:crypto",
];

const workers = ["worker", "mail"];
const responseFolders = [
  "collecting",
  "links",
  "respondents",
  "submissions",
  "results",
  "reading",
  "recount",
  "surveys",
  "exports",
  "files",
  "downloads",
];
const declarations = ["config.ts", "context.ts", "gen"];
const belowRpc = ["domain", "storage", "keys", "plans", "imports", ...workers, ...responseFolders, ...declarations];
const root = [...belowRpc, "rpc", "consumers", "purges.ts", "clock-repairs.ts", "transfer.ts"];

/** The parts of a service's `src` that each part may import. */
const serviceParts: Record<string, readonly string[]> = {
  domain: [],
  storage: ["domain", "gen"],
  // Survey data comes from the survey service, results from the counters in storage.
  collecting: ["domain", "storage"],
  surveys: ["domain", "storage", "collecting", ...declarations],
  links: ["domain", "storage", "collecting", ...declarations],
  results: ["domain", "storage", ...declarations],
  reading: ["domain", "storage", "surveys", ...declarations],
  exports: ["domain", "storage", "surveys", ...declarations],
  recount: ["domain", "storage", "surveys", "reading", ...declarations],
  files: ["domain", "storage", "collecting", "surveys", "links", "respondents", ...declarations],
  downloads: ["domain", "storage", "exports", "files", ...declarations],
  respondents: ["domain", "storage", "collecting", "surveys", "links", "reading", ...declarations],
  submissions: ["domain", "storage", "collecting", "surveys", "links", ...declarations],
  keys: ["domain", "storage", ...declarations],
  plans: ["domain", "storage", ...declarations],
  imports: ["domain", "storage", ...declarations],
  worker: ["domain", "storage", ...declarations],
  mail: ["domain", "storage", ...declarations],
  rpc: belowRpc,
  consumers: belowRpc,
  "purges.ts": belowRpc,
  "clock-repairs.ts": belowRpc,
  "transfer.ts": ["domain", "storage", "keys", "exports", "files", "context.ts"],
  "config.ts": ["domain", "storage", "mail"],
  // Only types.
  "context.ts": [...belowRpc, "rpc"],
  "service.ts": root,
  "main.ts": ["config.ts", "service.ts"],
  "index.ts": ["config.ts", "service.ts"],
};

const address = "plugins/client-address";
const shared = ["config.ts", "context.ts"];
const calls = [address, "clients", ...shared];

/** The same for the gateway. */
const gatewayParts: Record<string, readonly string[]> = {
  [address]: [],
  clients: calls,
  batches: calls,
  plugins: [...calls, "batches"],
  report: [],
  routes: [...calls, "batches", "plugins", "report"],
  "config.ts": [address, "plugins"],
  // Only types.
  "context.ts": ["config.ts", address, "clients", "batches", "plugins", "report"],
  "app.ts": [...calls, "batches", "plugins", "routes"],
  "service.ts": [...calls, "batches", "plugins", "report", "routes", "app.ts"],
  "main.ts": ["config.ts", "service.ts"],
  "index.ts": ["config.ts", "service.ts"],
};

export const partsOf = (process: string): Record<string, readonly string[]> =>
  process === "gateway" ? gatewayParts : serviceParts;
