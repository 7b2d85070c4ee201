import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { dateTime, envelope, id, named, nullableText } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { editElement, elementEdit } from "./edit-element.ts";
import { documentedSettings, elementParams } from "./element-input.ts";
import { logicFields } from "../condition-schemas.ts";
import { elementSettingsSchema, elementSettingsView, logicView, readLogic } from "./element-view.ts";

const replacedSchema = named("ReplacedElementSettings", {
  elementId: id,
  updatedAt: dateTime,
  name: nullableText,
  settings: elementSettingsSchema,
  ...logicFields,
});

const description = `Replaces \`typeSettings\` and \`responseValidation\` as a whole: an omitted key returns to its default. Choices, rows and columns are
unchanged if omitted; if given, each is the full list: an entry with an \`id\` keeps it, an entry without one is new, and an entry that is
missing is deleted, or retired if it was answered. \`name\`, \`code\`, \`showIf\`, \`requiredIf\`, \`constraints\` and \`defaultValue\` are
unchanged if omitted, and removed by null.`;

export function registerReplaceElementSettingsRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/elements/:elementId/settings",
    {
      config: elementEdit,
      schema: {
        operationId: "replaceElementSettings",
        tags: ["Elements"],
        summary: "Replace a question's settings",
        description,
        params: elementParams,
        body: documentedSettings,
        response: { 200: envelope("The settings as they now are", replacedSchema) },
      },
    },
    async (request, reply) => {
      const { elementId } = request.params;
      const { element } = await editElement(context, request, "settings");
      const { updatedAt, name } = element;
      const settings = elementSettingsView(element);
      const data = {
        elementId,
        updatedAt: isoTime(updatedAt),
        name: name || null,
        settings,
        ...logicView(readLogic(element)),
      };
      return respond(context, reply, { data, etag: element.etag });
    },
  );
}
