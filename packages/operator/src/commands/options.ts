import { plans } from "@canvass/access/plans";
import { allScopes, builtInRoles, powers as powerNames } from "@canvass/access/scopes";
import type { Option } from "@canvass/command-line";

export const workspace = { placeholder: "id", required: true, help: "the workspace" } as const satisfies Option;
export const person = { placeholder: "id", required: true, help: "the person" } as const satisfies Option;
export const plan = {
  placeholder: "plan",
  required: true,
  help: "the plan of the workspace",
  choices: Object.keys(plans),
} as const satisfies Option;
export const role = {
  placeholder: "role",
  required: true,
  help: `${Object.keys(builtInRoles).join(", ")} or a custom role`,
} as const satisfies Option;
export const powers = {
  placeholder: "a,b",
  required: true,
  help: `of ${powerNames.join(", ")}`,
} as const satisfies Option;
export const scopes = {
  placeholder: "a,b",
  help: `what it may do, of ${allScopes.join(", ")} (default: reading)`,
} as const satisfies Option;
export const email = {
  placeholder: "email",
  required: true,
  help: "e-mail address, which identifies the person",
} as const satisfies Option;

export const nameOption = (what: string) => ({ placeholder: "name", required: true, help: `of the ${what}` }) as const;
