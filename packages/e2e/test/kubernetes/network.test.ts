import { callsOf, CONTAINER_PORTS, PROCESSES, variablesOf } from "@canvass/processes";
import { publicIpv6Block, specialIpv4Blocks, specialIpv6Blocks } from "@canvass/webhook-sender/special-addresses";
import { describe, expect, test } from "vitest";
import { podLabelsOf, type Manifest } from "../../src/kubernetes/manifest.ts";
import { installations, ofKind, production, selects, type LabelSelector } from "./installations.ts";

interface Peer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: { cidr: string; except?: string[] };
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: number; protocol?: string }[];
}
interface Policy {
  podSelector: LabelSelector;
  policyTypes: string[];
  ingress?: Rule[];
  egress?: Rule[];
}

const policyOf = ({ spec }: Manifest): Policy => spec as Policy;
const nameOf = (labels: Record<string, string>): string => labels["app.kubernetes.io/name"]!;

/** Rules for a process's pods, in one direction. */
function rulesFor(manifests: readonly Manifest[], name: string, direction: "ingress" | "egress"): Rule[] {
  const labels = podLabelsOf(manifests).find((each) => nameOf(each) === name)!;
  const policies = ofKind(manifests, "NetworkPolicy").map(policyOf);
  return policies
    .filter(({ podSelector }) => selects(podSelector, labels))
    .flatMap((policy) => policy[direction] ?? []);
}

/** Names of the pods that rules allow at a port. */
function allowedPeers(manifests: readonly Manifest[], rules: Rule[], port: number): string[] {
  const peers = rules
    .filter(({ ports = [] }) => ports.some((each) => each.port === port))
    .flatMap(({ from, to }) => from ?? to ?? [{ podSelector: {} }]);
  const names = podLabelsOf(manifests)
    .filter((labels) => peers.some(({ podSelector }) => podSelector && selects(podSelector, labels)))
    .map(nameOf);
  return [...new Set(names)].toSorted();
}

describe.each(installations)("%s", (_, manifests) => {
  test.each(PROCESSES)("$name reaches the services that it calls and is reached by its callers alone", (definition) => {
    const { name } = definition;
    const callers = PROCESSES.filter((each) => callsOf(each).includes(name)).map((each) => each.name);
    const rpc = CONTAINER_PORTS.rpc;
    expect(allowedPeers(manifests, rulesFor(manifests, name, "egress"), rpc)).toEqual(callsOf(definition).toSorted());
    expect(allowedPeers(manifests, rulesFor(manifests, name, "ingress"), rpc)).toEqual(callers.toSorted());
  });

  test("what no policy allows is refused, in both directions", () => {
    const deny = { podSelector: {}, policyTypes: ["Ingress", "Egress"] };
    expect(ofKind(manifests, "NetworkPolicy").map(policyOf)).toContainEqual(deny);
  });

  test("a rule without ports is for the operator's database alone", () => {
    const open = ofKind(manifests, "NetworkPolicy").filter((manifest) =>
      [...(policyOf(manifest).ingress ?? []), ...(policyOf(manifest).egress ?? [])].some(({ ports }) => !ports),
    );
    expect(["postgres"]).toEqual(expect.arrayContaining(open.map(({ metadata }) => metadata.name)));
  });
});

const portsOut = (name: string): number[] =>
  rulesFor(production, name, "egress").flatMap(({ ports = [] }) => ports.map(({ port }) => port));

test.each(PROCESSES)("$name reaches the servers whose addresses it reads", (definition) => {
  const { secrets, settings } = variablesOf(definition);
  const reads = [...secrets, ...settings];
  const servers: [variable: string, port: number][] = [
    ["DATABASE_URL", 5432],
    ["CANVASS_RATE_LIMIT_DATABASE_URL", 5432],
    ["NATS_URL", 4222],
    ["CANVASS_SMTP_URL", 587],
    ["CANVASS_S3_ENDPOINT", 443],
    ["CANVASS_WEBHOOK_CONCURRENCY", 443],
  ];
  const expected = servers.flatMap(([variable, port]) => (reads.includes(variable) ? port : []));
  const always = [53, CONTAINER_PORTS.rpc];
  const mail = [25, 465];
  expect(new Set(portsOut(definition.name).filter((port) => !mail.includes(port)))).toEqual(
    new Set([...always, ...expected]),
  );
});

test("delivery reaches only public addresses, by the table of its own check", () => {
  const peers = rulesFor(production, "delivery", "egress").flatMap(({ to = [] }) => to);
  expect(peers.flatMap(({ ipBlock }) => ipBlock ?? [])).toEqual([
    { cidr: "0.0.0.0/0", except: specialIpv4Blocks },
    { cidr: publicIpv6Block, except: specialIpv6Blocks },
  ]);
});
