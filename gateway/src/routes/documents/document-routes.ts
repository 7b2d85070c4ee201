import type { GatewayContext } from "../../context.ts";
import { createDocumentConverter } from "../../plugins/body/documents/convert-document.ts";
import { acceptDocumentBodies } from "../../plugins/body/documents/accept-document-bodies.ts";
import type { Api } from "../api.ts";
import { registerGetDocumentSchemaRoute } from "./get-document-schema.ts";
import { registerGetDocumentRoute } from "./get-document.ts";
import { registerImportQuestionnaireRoute } from "./import-questionnaire.ts";
import { registerImportSurveyRoute } from "./import-survey.ts";
import { registerPlanDocumentRoute } from "./plan-document.ts";
import { acceptQuestionnaireBodies } from "./accept-questionnaire-bodies.ts";
import { registerReplaceDocumentRoute } from "./replace-document.ts";

/** Surveys as documents (contract 6.14), in their own scope, because their bodies are larger than others. */
export function registerDocumentRoutes(api: Api, context: GatewayContext): void {
  const converter = createDocumentConverter();
  api.addHook("onClose", () => converter[Symbol.asyncDispose]());
  void api.register(async (scope: Api) => {
    acceptDocumentBodies(scope, context, converter);
    registerGetDocumentSchemaRoute(scope, context);
    registerGetDocumentRoute(scope, context, converter);
    registerImportSurveyRoute(scope, context);
    registerReplaceDocumentRoute(scope, context);
    registerPlanDocumentRoute(scope, context);
    void scope.register(async (own: Api) => {
      acceptQuestionnaireBodies(own);
      registerImportQuestionnaireRoute(own, context);
    });
  });
}
