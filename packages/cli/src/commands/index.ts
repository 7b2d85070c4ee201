import type { Command } from "@canvass/command-line";
import type { Session } from "../define-command.ts";
import { apply } from "./apply.ts";
import { certify } from "./certify.ts";
import { importsShow } from "./imports-show.ts";
import { linksCreate } from "./links-create.ts";
import { listen } from "./listen.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { mcp } from "./mcp.ts";
import { plan } from "./plan.ts";
import { pull } from "./pull.ts";
import { responsesExport } from "./responses-export.ts";
import { responsesImport } from "./responses-import.ts";
import { surveysCopy } from "./surveys-copy.ts";
import { surveysExport } from "./surveys-export.ts";
import { surveysImport } from "./surveys-import.ts";
import { surveysList } from "./surveys-list.ts";
import { surveysPublish } from "./surveys-publish.ts";
import { surveysShow } from "./surveys-show.ts";
import { sync } from "./sync.ts";
import { trigger } from "./trigger.ts";
import { types } from "./types.ts";
import { whoami } from "./whoami.ts";

export const COMMANDS: readonly Command<Session>[] = [
  login,
  whoami,
  logout,
  surveysList,
  surveysShow,
  surveysCopy,
  surveysImport,
  surveysExport,
  surveysPublish,
  pull,
  plan,
  apply,
  linksCreate,
  responsesImport,
  importsShow,
  responsesExport,
  listen,
  trigger,
  certify,
  mcp,
  types,
  sync,
];

export const GROUPS: Readonly<Record<string, string>> = {
  surveys: "Surveys",
  links: "Links by which people come to a survey",
  responses: "Answers",
  imports: "Imports of answers",
};
