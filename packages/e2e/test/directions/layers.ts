/** Each package may import only those before it. */
const line = [
  "values",
  "errors",
  "fairness",
  "inputs",
  "proto",
  "processes",
  "access",
  "questions",
  "telemetry",
  "rpc",
  "postgres",
  "plan-history",
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
  "@canvass/fairness",
  "@canvass/errors",
  "@canvass/inputs",
  "@canvass/values",
  "@canvass/values/embedding-origin",
  "@canvass/access",
  "@canvass/questions",
  "@canvass/webhook-sender/webhook-url",
  "@canvass/webhook-sender/outcome",
  "libphonenumber-js/min",
  "lru-cache",
  "node:crypto",
];

const declarations = ["config.ts", "context.ts", "gen"];
const application = ["domain", "storage", "application", ...declarations];

/** The parts of a service's `src` that each part may import. */
const serviceParts: Record<string, readonly string[]> = {
  domain: [],
  storage: ["domain", "gen"],
  application: ["domain", "storage", ...declarations],
  rpc: application,
  consumers: application,
  "purges.ts": application,
  "clock-repairs.ts": application,
  "transfer.ts": application,
  "config.ts": ["domain", "storage", "application"],
  // Imports only types.
  "context.ts": [...application, "rpc"],
  "service.ts": [...application, "rpc", "consumers", "purges.ts", "clock-repairs.ts", "transfer.ts"],
  "main.ts": ["config.ts", "service.ts"],
  "index.ts": ["config.ts", "service.ts"],
};

const address = "plugins/client-address";
const shared = ["config.ts", "context.ts"];
const calls = [address, "clients", ...shared];

/** The parts of the gateway's `src` that each part may import. */
const gatewayParts: Record<string, readonly string[]> = {
  [address]: [],
  clients: calls,
  batches: calls,
  plugins: [...calls, "batches"],
  report: [],
  routes: [...calls, "batches", "plugins", "report"],
  "config.ts": [address, "plugins"],
  // Imports only types.
  "context.ts": ["config.ts", address, "clients", "batches", "plugins", "report"],
  "app.ts": [...calls, "batches", "plugins", "routes"],
  "service.ts": [...calls, "batches", "plugins", "report", "routes", "app.ts"],
  "main.ts": ["config.ts", "service.ts"],
  "write-document.ts": ["config.ts", "service.ts"],
  "index.ts": ["config.ts", "service.ts"],
};

export const partsOf = (process: string): Record<string, readonly string[]> =>
  process === "gateway" ? gatewayParts : serviceParts;
