import type { Command } from "@canvass/command-line";
import type { Session } from "../define-command.ts";
import { auditList } from "./audit-list.ts";
import { doctor } from "./doctor.ts";
import { fill } from "./fill.ts";
import { installationDatabases } from "./installation-databases.ts";
import { installationSecrets } from "./installation-secrets.ts";
import { personAdd } from "./person-add.ts";
import { personSetRole } from "./person-set-role.ts";
import { resultsVerify } from "./results-verify.ts";
import { roleCreate } from "./role-create.ts";
import { secretsRotate } from "./secrets-rotate.ts";
import { tokenIssue } from "./token-issue.ts";
import { tokenRevoke } from "./token-revoke.ts";
import { workspaceCreate } from "./workspace-create.ts";
import { workspaceExport } from "./workspace-export.ts";
import { workspaceImport } from "./workspace-import.ts";
import { workspaceKey } from "./workspace-key.ts";
import { workspaceSetPlan } from "./workspace-set-plan.ts";

export const COMMANDS: readonly Command<Session>[] = [
  workspaceCreate,
  workspaceSetPlan,
  workspaceKey,
  workspaceExport,
  workspaceImport,
  personAdd,
  personSetRole,
  roleCreate,
  tokenIssue,
  tokenRevoke,
  auditList,
  resultsVerify,
  secretsRotate,
  installationSecrets,
  installationDatabases,
  fill,
  doctor,
];

export const GROUPS: Readonly<Record<string, string>> = {
  workspace: "Workspaces, their plans, and their move to another installation",
  person: "Members of workspaces and their roles",
  role: "Roles of a workspace's own",
  token: "API tokens",
  audit: "The audit log",
  results: "Results of surveys",
  secrets: "Signing secrets of webhooks",
  installation: "Secrets and databases of an installation in containers",
};
