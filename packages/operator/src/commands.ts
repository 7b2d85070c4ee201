import type { OperatorClient } from "./connect-operator.ts";
import { OperationalError } from "@canvass/provisioning";
import { auditEntry } from "./audit-entry.ts";

/** What `--json` prints: one object. */
export type Result = Record<string, unknown>;

/** The values of a command's options by name; those that are required are there. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

export type Option = { placeholder?: string; required?: true; help: string };

export type Command = {
  help: string;
  /** In the order in which they are shown. Without a placeholder: a switch. */
  options: Readonly<Record<string, Option>>;
  run: (operator: OperatorClient, values: Values) => Promise<Result>;
};

const PLANS = "free, starter, professional or enterprise";
const workspace = { placeholder: "ID", required: true, help: "the workspace" } as const;
const person = { placeholder: "ID", required: true, help: "the person" } as const;
const role = { placeholder: "ROLE", required: true, help: "owner, admin, editor, viewer or a custom role" } as const;
const name = (help: string) => ({ placeholder: "NAME", required: true, help }) as const;
const optional = (placeholder: string, help: string) => ({ placeholder, help });

/** Everything operators do (contract 9.4), by the words that call it. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  "workspace create": {
    help: "Make a workspace with its owner, and a token that holds every scope",
    options: {
      name: name("of the workspace"),
      plan: { placeholder: "PLAN", required: true, help: PLANS },
      "owner-name": name("of the owner"),
      "owner-email": { placeholder: "EMAIL", required: true, help: "known people keep their name" },
      "time-zone": optional("ZONE", "IANA name such as Europe/Berlin (UTC)"),
    },
    async run(operator, values) {
      const { workspaceId, personId, tokenId, tokenValue } = await operator.createWorkspace({
        name: text(values, "name"),
        plan: text(values, "plan"),
        ownerName: text(values, "owner-name"),
        ownerEmail: text(values, "owner-email"),
        timeZone: text(values, "time-zone"),
      });
      return { workspaceId, personId, tokenId, token: tokenValue };
    },
  },
  "workspace set-plan": {
    help: "Give a workspace another plan, from now on",
    options: { workspace, plan: { placeholder: "PLAN", required: true, help: PLANS } },
    async run(operator, values) {
      const [workspaceId, plan] = [text(values, "workspace"), text(values, "plan")];
      await operator.setPlan({ workspaceId, plan });
      return { workspaceId, plan };
    },
  },
  "person add": {
    help: "Make a person a member of a workspace; people are known by their e-mail address",
    options: {
      workspace,
      name: name("of the person, where the address is new"),
      email: { placeholder: "EMAIL", required: true, help: "the person's address" },
      role,
    },
    async run(operator, values) {
      const [workspaceId, held] = [text(values, "workspace"), text(values, "role")];
      const given = { workspaceId, name: text(values, "name"), email: text(values, "email"), role: held };
      const { personId } = await operator.addPerson(given);
      return { workspaceId, personId, role: held };
    },
  },
  "person set-role": {
    help: "Give a member another role, from now on",
    options: { workspace, person, role },
    async run(operator, values) {
      const [workspaceId, personId] = [text(values, "workspace"), text(values, "person")];
      await operator.setRole({ workspaceId, personId, role: text(values, "role") });
      return { workspaceId, personId, role: text(values, "role") };
    },
  },
  "role create": {
    help: "Make a role of a workspace's own: a name for a set of powers",
    options: {
      workspace,
      name: name("of the role"),
      powers: {
        placeholder: "A,B",
        required: true,
        help: "of manage_webhooks, manage_tokens, edit_surveys, view_results, manage_contacts",
      },
    },
    async run(operator, values) {
      const powers = list(text(values, "powers"));
      const [workspaceId, named] = [text(values, "workspace"), text(values, "name")];
      const { roleId } = await operator.createRole({ workspaceId, name: named, powers });
      return { workspaceId, roleId, name: named, powers };
    },
  },
  "token issue": {
    help: "Make a token for a member",
    options: {
      workspace,
      person,
      name: name("of the token"),
      scopes: optional("A,B", "what it may do (the read-only default set)"),
      test: { help: "what it submits is marked as test" },
    },
    async run(operator, values) {
      const [workspaceId, personId] = [text(values, "workspace"), text(values, "person")];
      const scopes = values["scopes"] === undefined ? {} : { scopes: { scopes: list(text(values, "scopes")) } };
      const given = { workspaceId, personId, name: text(values, "name"), live: values["test"] !== true };
      const { token, tokenValue } = await operator.issueToken({ ...given, ...scopes });
      return { workspaceId, personId, tokenId: token?.tokenId, token: tokenValue };
    },
  },
  "audit list": {
    help: "Show the changes in a workspace, newest first",
    options: {
      workspace,
      limit: optional("NUMBER", "changes to show, up to 100 (50)"),
      cursor: optional("CURSOR", "where the page before ended"),
    },
    async run(operator, values) {
      const workspaceId = text(values, "workspace");
      const query = { limit: pageSize(text(values, "limit") || "50"), cursor: text(values, "cursor") };
      const { page } = await operator.listWorkspaceAuditLog({ workspaceId, query });
      const { entries = [], nextCursor = "" } = page ?? {};
      return { workspaceId, entries: entries.map(auditEntry), cursor: nextCursor || null };
    },
  },
};

function text(values: Values, option: string): string {
  const value = values[option];
  return typeof value === "string" ? value : "";
}

function pageSize(given: string): number {
  const size = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (size >= 1 && size <= 100) return size;
  throw new OperationalError(`--limit is "${given}", but it is a number from 1 to 100.`);
}

function list(joined: string): string[] {
  return joined
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
