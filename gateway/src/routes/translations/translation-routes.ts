import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerGetTranslationRoute } from "./get-translation.ts";
import { registerImportTranslationRoute } from "./import-translation.ts";
import { acceptTranslationFiles } from "./accept-translation-files.ts";
import { registerListTranslationsRoute } from "./list-translations.ts";
import { registerWriteTranslationRoutes } from "./write-translation.ts";

/** Surveys in other languages (contract 6.17). */
export function registerTranslationRoutes(api: Api, context: GatewayContext): void {
  registerListTranslationsRoute(api, context);
  registerGetTranslationRoute(api, context);
  registerWriteTranslationRoutes(api, context);
  void api.register(async (scope: Api) => {
    acceptTranslationFiles(scope);
    registerImportTranslationRoute(scope, context);
  });
}
