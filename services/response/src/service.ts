import { createKeyedSemaphore } from "@canvass/fairness";
import { openPool, recognizeDatabaseError } from "@canvass/postgres";
import { fileStoreSettings } from "./storage/file-store/file-store-settings.ts";
import { repairJobs } from "@canvass/jobs";
import { ContactService } from "@canvass/proto/distribution-contacts";
import { LinkService } from "@canvass/proto/distribution-links";
import { ExportService } from "@canvass/proto/exports";
import { ResponseImportService } from "@canvass/proto/response-imports";
import { FileService } from "@canvass/proto/files";
import { ResponseService } from "@canvass/proto/response";
import { LinkResponseService } from "@canvass/proto/response-links";
import { ResultsOperatorService } from "@canvass/proto/response-operator";
import { SurveyService } from "@canvass/proto/survey-service";
import { bind, bindStream } from "@canvass/rpc";
import { startService, type RunningService, type ServiceOverrides } from "@canvass/service";
import { Counter, type Registry } from "@canvass/telemetry";
import type { ConnectRouter } from "@connectrpc/connect";
import { PrismaClient } from "../gen/prisma/client.ts";
import { fileLimits, type ResponseConfig } from "./config.ts";
import { eraseContacts } from "./consumers/erase-contacts.ts";
import { storeCollectingChanges } from "./consumers/store-collecting-changes.ts";
import type { ResponseContext, ResponseShell } from "./context.ts";
import { startFiles } from "./application/files/files.ts";
import { createContactFinder } from "./application/links/contact-finder.ts";
import { createLinkDirectory } from "./application/links/link-directory.ts";
import { createSnapshots, usualSnapshots } from "./application/reading/snapshots.ts";
import { openComputations } from "./application/computations/open-computations.ts";
import { createResultReaders } from "./application/results/result-readers.ts";
import { batchCountAnswers } from "./rpc/batch-count-answers.ts";
import { batchGetDistributorResults } from "./rpc/batch-get-distributor-results.ts";
import { batchGetLinkUses } from "./rpc/batch-get-link-uses.ts";
import { batchSubmitAnswers } from "./rpc/batch-submit-answers.ts";
import { eraseRespondent } from "./rpc/erase-respondent.ts";
import { getAnswer } from "./rpc/get-answer.ts";
import { getLiveSummary } from "./rpc/get-live-summary.ts";
import { createContactReader } from "./application/exports/contact-reader.ts";
import { startExports, type Exports } from "./application/exports/exports.ts";
import { startResponseImports } from "./application/imports/imports.ts";
import { createLeftOutFinder } from "./application/imports/left-out-finder.ts";
import { countCrosstab } from "./rpc/count-crosstab.ts";
import { computeSeries } from "./rpc/compute-series.ts";
import { createDownload } from "./rpc/create-download.ts";
import { createFileDownload } from "./rpc/create-file-download.ts";
import { createExport } from "./rpc/create-export.ts";
import { deleteExport } from "./rpc/delete-export.ts";
import { getDownload } from "./rpc/get-download.ts";
import { getExport } from "./rpc/get-export.ts";
import { getLinkRespondent } from "./rpc/get-link-respondent.ts";
import { getQuotaCounts } from "./rpc/get-quota-counts.ts";
import { getRespondent } from "./rpc/get-respondent.ts";
import { createImport } from "./rpc/imports/create-import.ts";
import { getImport } from "./rpc/imports/get-import.ts";
import { previewImport } from "./rpc/imports/preview-import.ts";
import { hasResponses } from "./rpc/has-responses.ts";
import { holdUnansweredSurvey } from "./rpc/hold-unanswered-survey.ts";
import { holdUnusedLink } from "./rpc/hold-unused-link.ts";
import { listAnswers } from "./rpc/list-answers.ts";
import { listContactRespondents } from "./rpc/list-contact-respondents.ts";
import { listRespondents } from "./rpc/list-respondents.ts";
import { startLinkRespondent } from "./rpc/start-link-respondent.ts";
import { startRespondent } from "./rpc/start-respondent.ts";
import { submitBatch } from "./rpc/submit-batch.ts";
import { streamAnswers } from "./rpc/stream-answers.ts";
import { streamAggregation } from "./rpc/stream-aggregation.ts";
import { streamDownload } from "./rpc/stream-download.ts";
import { uploadFile } from "./rpc/upload-file.ts";
import { verifyResults } from "./rpc/verify-results.ts";
import { openRecounts } from "./application/recount/open-recounts.ts";
import { createPrepareVersion } from "./application/respondents/prepare-version.ts";
import { createStartStore } from "./application/respondents/start-store.ts";
import type { GivenClock } from "./storage/advisory-locks.ts";
import { purges } from "./purges.ts";
import { createSurveyDirectory } from "./application/surveys/survey-directory.ts";
import { transfer } from "./transfer.ts";
import manifest from "../package.json" with { type: "json" };

export function startResponseService(
  config: ResponseConfig,
  overrides: ServiceOverrides = {},
): Promise<RunningService> {
  return startService({
    name: "response",
    version: manifest.version,
    config,
    overrides,
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    createContext: (shell: ResponseShell) => createContext(shell, config, overrides.now),
    consumers: { "contact-erasures": eraseContacts, collecting: storeCollectingChanges },
    purges,
    clockRepairs: [{ rows: "due times of jobs", repair: repairJobs }],
    transfer,
    routes,
  });
}

/** Limits work that fetches versions and then takes a connection: three at a time leave the others to other work. */
const versionLimits = { perKey: 1, total: 3, maxWaiting: 200 };

/** Each batch takes up to two connections. */
const batchLimits = { perKey: 1, total: 2, maxWaiting: 50 };

function createContext(shell: ResponseShell, config: ResponseConfig, givenClock: GivenClock): ResponseContext {
  const { pool } = shell.database;
  const surveyService = { name: "survey", url: config.CANVASS_SURVEY_URL };
  const surveys = createSurveyDirectory(shell.connect(SurveyService, surveyService), shell.database);
  const distribution = { name: "distribution", url: config.CANVASS_DISTRIBUTION_URL };
  const versionPermits = createKeyedSemaphore(versionLimits);
  const contacts = shell.connect(ContactService, distribution);
  const prepareVersion = createPrepareVersion(pool, surveys, versionPermits);
  const exports = openExports(shell, { surveys, readContacts: createContactReader(contacts) }, config);
  return {
    ...shell,
    givenClock,
    surveys,
    links: createLinkDirectory(shell.connect(LinkService, distribution), shell.database),
    findContactStatus: createContactFinder(contacts),
    versionPermits,
    batchPermits: createKeyedSemaphore(batchLimits),
    prepareVersion,
    resultReaders: createResultReaders(),
    computations: shell.use(openComputations({ databaseUrl: config.DATABASE_URL, surveys })),
    snapshots: createSnapshots(shell.use(openSnapshotPool(shell, config))),
    recounts: shell.use(openRecounts(config)),
    storeStart: createStartStore(shell.database.hot.pool, shell.now, givenClock),
    recognizeError: recognizeDatabaseError,
    exports,
    files: exports && shell.use(startFiles(shell, exports.files, fileLimits(config))),
    imports: shell.use(startResponseImports(shell, { surveys, prepareVersion })),
    findLeftOut: createLeftOutFinder(surveys),
    completions: countCompletions(shell.metrics),
  };
}

/** Streams have their own pool, so that they never take connections from writes. */
function openSnapshotPool({ log }: ResponseShell, { DATABASE_URL: url }: ResponseConfig) {
  const { total: poolSize, lifetimeMs: idleInTransactionMs } = usualSnapshots;
  const onConnectionLost = (err: Error) => log.warn({ err }, "an idle database connection was lost");
  return openPool({
    url,
    poolSize,
    kept: 0,
    applicationName: "canvass-response",
    idleInTransactionMs,
    onConnectionLost,
  });
}

function routes(router: ConnectRouter, context: ResponseContext): void {
  router.service(ResponseService, {
    startRespondent: bind(context, startRespondent),
    eraseRespondent: bind(context, eraseRespondent),
    getAnswer: bind(context, getAnswer),
    getLiveSummary: bind(context, getLiveSummary),
    getRespondent: bind(context, getRespondent),
    listAnswers: bind(context, listAnswers),
    streamAnswers: bindStream(context, streamAnswers),
    listRespondents: bind(context, listRespondents),
    batchSubmitAnswers: bind(context, batchSubmitAnswers),
    submitBatch: bind(context, submitBatch),
    countCrosstab: bind(context, countCrosstab),
    computeSeries: bind(context, computeSeries),
    streamAggregation: bindStream(context, streamAggregation),
    batchCountAnswers: bind(context, batchCountAnswers),
    getQuotaCounts: bind(context, getQuotaCounts),
    hasResponses: bind(context, hasResponses),
    holdUnansweredSurvey: bind(context, holdUnansweredSurvey),
  });
  router.service(LinkResponseService, {
    startLinkRespondent: bind(context, startLinkRespondent),
    getLinkRespondent: bind(context, getLinkRespondent),
    batchGetDistributorResults: bind(context, batchGetDistributorResults),
    listContactRespondents: bind(context, listContactRespondents),
    batchGetLinkUses: bind(context, batchGetLinkUses),
    holdUnusedLink: bind(context, holdUnusedLink),
  });
  router.service(ExportService, {
    createExport: bind(context, createExport),
    getExport: bind(context, getExport),
    deleteExport: bind(context, deleteExport),
    createDownload: bind(context, createDownload),
    getDownload: bind(context, getDownload),
    streamDownload: bindStream(context, streamDownload),
  });
  router.service(ResponseImportService, {
    createImport: bind(context, createImport),
    previewImport: bind(context, previewImport),
    getImport: bind(context, getImport),
  });
  router.service(FileService, {
    uploadFile: bind(context, uploadFile),
    createFileDownload: bind(context, createFileDownload),
  });
  router.service(ResultsOperatorService, { verifyResults: bindStream(context, verifyResults) });
}

function openExports(
  shell: ResponseShell,
  sources: Parameters<typeof startExports>[1],
  config: ResponseConfig,
): Exports | undefined {
  const settings = fileStoreSettings(config);
  if (settings) return shell.use(startExports(shell, sources, { databaseUrl: config.DATABASE_URL, settings }));
  shell.log.warn("neither CANVASS_FILES_DIR nor CANVASS_S3_BUCKET is set: there are no exports and no uploads");
  return undefined;
}

function countCompletions(registry: Registry): Counter {
  return new Counter({
    name: "canvass_responses_completed_total",
    help: "Respondents that completed a survey, tests left out",
    registers: [registry],
  });
}
