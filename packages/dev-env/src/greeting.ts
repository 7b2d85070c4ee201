import { relative } from "node:path";
import { styleText } from "node:util";

import type { LaunchConfig } from "./config.ts";
import { dataDirPaths } from "./data-dir.ts";
import type { System } from "./start-system.ts";
import { formatSeconds } from "./terminal.ts";
import type { TrialLink } from "./trial-link.ts";

export function greeting(
  { local, tokenIsNew, tokenFault }: Pick<System, "local" | "tokenIsNew" | "tokenFault">,
  { dataDir }: Pick<LaunchConfig, "dataDir">,
  ms: number,
  trial?: TrialLink,
): string[] {
  const { root, local: localFile, logs } = dataDirPaths(dataDir);
  const shown = (path: string) => (root.startsWith(process.cwd()) ? relative(process.cwd(), path) : path);
  const token = tokenIsNew ? local.token : `$(node -p 'require("${localFile}").token')`;
  const curl = (path: string) => `curl -H "Authorization: Bearer ${token}" ${local.baseUrl}${path}`;
  const access = [
    ...(tokenIsNew ? [row("Token", `${local.token}  (shown this once; ${shown(localFile)} has it, too)`)] : []),
    row("Try", curl("/surveys")),
    ...(trial
      ? [
          row("Link", `${trial.url}  (a small survey: open it and answer)`),
          row("Then", curl(`/response/surveys/${trial.surveyId}/aggregation`)),
        ]
      : []),
  ];
  return [
    "",
    `${styleText(["bold", "green"], "Canvass is running")} at ${styleText("bold", local.publicUrl)} (${formatSeconds(ms)})`,
    "",
    row("API", local.baseUrl),
    row("Docs", `${local.publicUrl}/docs`),
    ...(tokenFault === undefined
      ? access
      : [row("Token", `${tokenFault}: issue another with`), row("", issueCommand(local, dataDir))]),
    row("Logs", shown(logs)),
    "",
    "Ctrl-C stops everything.",
  ];
}

function row(name: string, text: string): string {
  return `  ${styleText("dim", name.padEnd(6))} ${text}`;
}

function issueCommand({ workspaceId, personId }: System["local"], dataDir: string): string {
  const { root } = dataDirPaths(dataDir);
  // pnpm runs the command in the checkout, where the default directory needs no setting.
  const where = root === dataDirPaths(DEFAULT_DATA_DIR).root ? "" : `CANVASS_DATA_DIR=${quoted(root)} `;
  const whose = `--workspace ${workspaceId} --person ${personId}`;
  return `${where}npx -y pnpm@12 canvass token issue ${whose} --name "Another" --scopes full_access,events:write`;
}

const DEFAULT_DATA_DIR = ".canvass";

function quoted(path: string): string {
  return /^[\w./+@-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
