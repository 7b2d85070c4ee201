import { EventIntakeService } from "@canvass/proto/events";
import { ResponseService } from "@canvass/proto/response";
import { SurveyService } from "@canvass/proto/survey-service";
import { bind, bindStream } from "@canvass/rpc";
import {
  createPush,
  createPasswordCheckLimit,
  startService,
  type RunningService,
  type ServiceOverrides,
} from "@canvass/service";
import type { ConnectRouter } from "@connectrpc/connect";
import { lruOptions } from "@canvass/fairness";
import { LRUCache } from "lru-cache";
import { PrismaClient } from "../gen/prisma/client.ts";
import type { SurveyConfig } from "./config.ts";
import { createQuestionnaires } from "./application/questionnaires/questionnaires.ts";
import { countResponses } from "./consumers/count-responses.ts";
import type { SurveyContext, SurveyShell } from "./context.ts";
import { createElementPages } from "./storage/element-pages.ts";
import { addQuestions } from "./rpc/add-questions.ts";
import { batchGetCollections } from "./rpc/batch-get-collections.ts";
import { batchGetSurveys } from "./rpc/batch-get-surveys.ts";
import { batchGetVersions } from "./rpc/batch-get-versions.ts";
import { batchListElements } from "./rpc/batch-list-elements.ts";
import { checkSurveyPassword } from "./rpc/check-survey-password.ts";
import { createSurvey } from "./rpc/create-survey.ts";
import { deleteElement } from "./rpc/delete-element.ts";
import { editElement } from "./rpc/edit-element.ts";
import { getAnswersSchema } from "./rpc/get-answers-schema.ts";
import { getDocument } from "./rpc/get-document.ts";
import { getElement } from "./rpc/get-element.ts";
import { getPublicSurvey } from "./rpc/get-public-survey.ts";
import { getXlsform } from "./rpc/get-xlsform.ts";
import { importQuestionnaire } from "./rpc/import-questionnaire.ts";
import { previewQuestionnaire } from "./rpc/preview-questionnaire.ts";
import { importSurvey } from "./rpc/import-survey.ts";
import { getTranslation } from "./rpc/get-translation.ts";
import { listTranslations } from "./rpc/list-translations.ts";
import { importTranslation } from "./rpc/import-translation.ts";
import { writeTranslation } from "./rpc/write-translation.ts";
import { listPages } from "./rpc/list-pages.ts";
import { listSurveys } from "./rpc/list-surveys.ts";
import { orderElements } from "./rpc/order-elements.ts";
import { getDraft } from "./rpc/get-draft.ts";
import { listBackups } from "./rpc/list-backups.ts";
import { copySurvey } from "./rpc/copy-survey.ts";
import { createBackup } from "./rpc/create-backup.ts";
import { replaceDocument } from "./rpc/replace-document.ts";
import { replaceFields } from "./rpc/replace-fields.ts";
import { getQuotas } from "./rpc/get-quotas.ts";
import { replaceQuotas } from "./rpc/replace-quotas.ts";
import { restoreBackup } from "./rpc/restore-backup.ts";
import { validateDraft } from "./rpc/validate-draft.ts";
import { streamChanges } from "./rpc/stream-changes.ts";
import { streamDocumentPlan } from "./rpc/stream-document-plan.ts";
import { getFields } from "./rpc/get-fields.ts";
import { getLock } from "./rpc/get-lock.ts";
import { listVersions } from "./rpc/list-versions.ts";
import { getVersion } from "./rpc/get-version.ts";
import { restoreVersion } from "./rpc/restore-version.ts";
import { repairLeases } from "./rpc/survey-lease.ts";
import { publishSurvey } from "./rpc/publish-survey.ts";
import { updatePage } from "./rpc/update-page.ts";
import { updateSurvey } from "./rpc/update-survey.ts";
import { transfer } from "./transfer.ts";
import manifest from "../package.json" with { type: "json" };

/** Shorter than a caller's deadline, so that a caller still learns that its change was refused. */
const responseTimeoutMs = 3_000;

export function startSurveyService(config: SurveyConfig, overrides: ServiceOverrides = {}): Promise<RunningService> {
  const responseService = { name: "response", url: config.CANVASS_RESPONSE_URL, defaultTimeoutMs: responseTimeoutMs };
  return startService({
    name: "survey",
    version: manifest.version,
    config,
    overrides,
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    createContext: (shell: SurveyShell): SurveyContext => ({
      ...shell,
      elementPages: createElementPages(shell.database.sql),
      pushCollecting: createPush(
        shell.connect(EventIntakeService, responseService),
        { consumer: "collecting", part: "response" },
        shell.log,
      ),
      passwordChecks: createPasswordCheckLimit(),
      mostFileBytes: config.CANVASS_FILE_MB * 1_048_576,
      questionnaires: createQuestionnaires(),
      changeCounts: new LRUCache(lruOptions(10_000)),
      responses: shell.connect(ResponseService, responseService),
    }),
    consumers: { "response-counts": countResponses },
    clockRepairs: [{ rows: "leases of publications", repair: repairLeases }],
    transfer: () => transfer,
    routes,
  });
}

function routes(router: ConnectRouter, context: SurveyContext): void {
  router.service(SurveyService, {
    batchGetSurveys: bind(context, batchGetSurveys),
    listSurveys: bind(context, listSurveys),
    createSurvey: bind(context, createSurvey),
    updateSurvey: bind(context, updateSurvey),
    getAnswersSchema: bind(context, getAnswersSchema),
    getDocument: bind(context, getDocument),
    importSurvey: bind(context, importSurvey),
    importQuestionnaire: bind(context, importQuestionnaire),
    previewQuestionnaire: bind(context, previewQuestionnaire),
    getXlsform: bind(context, getXlsform),
    copySurvey: bind(context, copySurvey),
    replaceDocument: bind(context, replaceDocument),
    listTranslations: bind(context, listTranslations),
    getTranslation: bind(context, getTranslation),
    importTranslation: bind(context, importTranslation),
    writeTranslation: bind(context, writeTranslation),
    batchListElements: bind(context, batchListElements),
    addQuestions: bind(context, addQuestions),
    getElement: bind(context, getElement),
    editElement: bind(context, editElement),
    deleteElement: bind(context, deleteElement),
    orderElements: bind(context, orderElements),
    listPages: bind(context, listPages),
    updatePage: bind(context, updatePage),
    getDraft: bind(context, getDraft),
    listBackups: bind(context, listBackups),
    createBackup: bind(context, createBackup),
    restoreBackup: bind(context, restoreBackup),
    validateDraft: bind(context, validateDraft),
    streamChanges: bindStream(context, streamChanges),
    streamDocumentPlan: bindStream(context, streamDocumentPlan),
    getFields: bind(context, getFields),
    replaceFields: bind(context, replaceFields),
    getQuotas: bind(context, getQuotas),
    replaceQuotas: bind(context, replaceQuotas),
    getLock: bind(context, getLock),
    listVersions: bind(context, listVersions),
    getVersion: bind(context, getVersion),
    restoreVersion: bind(context, restoreVersion),
    publishSurvey: bind(context, publishSurvey),
    batchGetCollections: bind(context, batchGetCollections),
    batchGetVersions: bind(context, batchGetVersions),
    getPublicSurvey: bind(context, getPublicSurvey),
    checkSurveyPassword: bind(context, checkSurveyPassword),
  });
}
