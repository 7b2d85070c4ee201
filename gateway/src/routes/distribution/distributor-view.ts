import { distributorTypes } from "@canvass/inputs";
import type { Distributor, DistributorSettings } from "@canvass/proto/distribution";
import { Type, type Static } from "typebox";
import { dateTime, id, idParam, named, nullable, nullableDateTime, nullableText } from "../schemas.ts";
import { isoTime, isoTimeOrNull } from "../../plugins/responses/timestamps.ts";

export const distributorParams = Type.Object({ distributorId: idParam("id of a distributor") });

const settingsSchema = named("DistributorSettings", {
  opensAt: nullableDateTime,
  closesAt: nullableDateTime,
  responseLimit: nullable<number>("integer"),
  password: Type.Boolean({ description: "whether there is a password; sending true keeps it" }),
  allowMultiple: Type.Boolean(),
  prefill: Type.Boolean(),
  closedMessage: nullableText,
  redirectUrl: nullableText,
  allowedOrigins: Type.Array(Type.String()),
});

const stats = named(
  "DistributorStats",
  { opened: Type.Integer(), started: Type.Integer(), completed: Type.Integer() },
  { description: "without tests; null in the response to a change if the counts are not available" },
);

export const distributorSchema = named("Distributor", {
  id,
  surveyId: id,
  type: Type.String({ enum: [...distributorTypes] }),
  name: Type.String(),
  status: Type.String({
    enum: ["draft", "active", "paused", "closed"],
    description: "also `closed` because of `closesAt` or `responseLimit`, until these are changed",
  }),
  code: { ...nullableText, description: "of links and embeds; null if each person has a link" },
  url: { ...nullableText, description: "URL of the page for respondents; null if each person has a link" },
  settings: settingsSchema,
  stats: Type.Unsafe<Static<typeof stats> | null>({ ...stats, type: ["object", "null"] }),
  linkCount: Type.Integer({ description: "number of single-use or personal links" }),
  createdAt: dateTime,
  updatedAt: dateTime,
});

export function distributorView(message: Distributor, urlOf: (code: string) => string) {
  const { code } = message;
  return {
    id: message.distributorId,
    surveyId: message.surveyId,
    type: message.type,
    name: message.name,
    status: message.status,
    code: code || null,
    url: code === "" ? null : urlOf(code),
    settings: settingsView(message.settings),
    stats: statsView(message),
    linkCount: message.issuedLinks,
    createdAt: isoTime(message.createdAt),
    updatedAt: isoTime(message.updatedAt),
  };
}

function settingsView(settings: DistributorSettings | undefined) {
  return {
    opensAt: isoTimeOrNull(settings?.opensAt),
    closesAt: isoTimeOrNull(settings?.closesAt),
    responseLimit: settings?.responseLimit === undefined ? null : Number(settings.responseLimit),
    password: settings?.hasPassword ?? false,
    allowMultiple: settings?.allowMultiple ?? false,
    prefill: settings?.prefill ?? false,
    closedMessage: settings?.closedMessage || null,
    redirectUrl: settings?.redirectUrl || null,
    allowedOrigins: settings?.allowedOrigins ?? [],
  };
}

function statsView({ stats: figures }: Distributor) {
  if (!figures) return null;
  const { opened, started, completed } = figures;
  return { opened: Number(opened), started: Number(started), completed: Number(completed) };
}
