import type { KeyedSemaphore } from "@canvass/fairness";
import type { Logger, Registry } from "@canvass/telemetry";
import type { Survey } from "@canvass/proto/survey";
import type { ElementPage } from "@canvass/proto/survey-elements";
import type { ElementPageRequest } from "./batches/element-lister.ts";
import type { Link } from "@canvass/proto/distribution-links";
import type { Opened } from "./batches/opened-counter.ts";
import type { LanguageRef, VersionRef } from "./batches/public-definitions.ts";
import type { AnswerSubmission, Submitted } from "./batches/answer-submitter.ts";
import type { SurveyRead } from "./batches/survey-reader.ts";
import type { GatewayConfig } from "./config.ts";
import type { IdentityCache } from "./plugins/authentication/identity-cache.ts";
import type { HealthReport } from "./clients/health-report.ts";
import type { UploadPermits } from "./plugins/body/upload-permits.ts";
import type { ClientKeys } from "./client-address/client-keys.ts";
import type { CountryLookup } from "./client-address/client-country.ts";
import type { SharedCounts } from "./plugins/rate-limits/shared-counts.ts";
import type { ReportRenderer } from "./report/report-renderer.ts";
import type { ServiceClients } from "./clients/service-clients.ts";
import type { TokenUses } from "./plugins/authentication/token-uses.ts";

export interface GatewayContext {
  config: GatewayConfig;
  log: Logger;
  metrics: Registry;
  now: () => Date;
  clients: ServiceClients;
  identities: IdentityCache;
  tokenUses: TokenUses;
  /** Whether to build the OpenAPI document at start rather than at the first request. */
  documentAtStart: boolean;
  /** Counts shared by all gateways. Undefined: each gateway counts for itself. */
  sharedCounts: SharedCounts | undefined;
  streams: KeyedSemaphore;
  /** Permits for unread bytes of large texts. */
  unread: KeyedSemaphore;
  uploads: UploadPermits;
  /** Permits for receiving large bodies, by workspace. */
  bodyPermits: KeyedSemaphore;
  clientKey: ClientKeys;
  reports: ReportRenderer;
  /** Hot operations are batched: the calls of one event loop turn share one RPC. They throw AppError. */
  readSurvey: (read: SurveyRead) => Promise<Survey>;
  listElements: (request: ElementPageRequest) => Promise<ElementPage>;
  submitAnswers: (submission: AnswerSubmission) => Promise<Submitted>;
  /** For respondents of links. A separate queue, so that link look-ups do not delay other submissions. */
  submitLinkAnswers: (submission: AnswerSubmission) => Promise<Submitted>;
  /** Undefined for a code without a published link. */
  findLink: (code: string) => Promise<Link | undefined>;
  countOpened: (opened: Opened) => void;
  publicDefinition: (version: LanguageRef) => Promise<string>;
  /** JSON object of the questions that the query string of a link may answer, by name (`PrefillName`). */
  prefillNames: (version: VersionRef) => Promise<string>;
  countryOf: CountryLookup;
  health: () => Promise<HealthReport>;
}
