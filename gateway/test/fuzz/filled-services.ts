import { AuditService, TokenService } from "@canvass/proto/token";
import { DeliveryService } from "@canvass/proto/delivery";
import { DistributorService } from "@canvass/proto/distribution";
import { ContactService } from "@canvass/proto/distribution-contacts";
import { LinkService } from "@canvass/proto/distribution-links";
import { ExportService } from "@canvass/proto/exports";
import { ResponseService, SubmittedAnswersSchema } from "@canvass/proto/response";
import { ResponseImportService } from "@canvass/proto/response-imports";
import { LinkResponseService } from "@canvass/proto/response-links";
import { FileService } from "@canvass/proto/files";
import { SurveySchema } from "@canvass/proto/survey";
import { SurveyService } from "@canvass/proto/survey-service";
import { FeedService, SubscriptionService } from "@canvass/proto/webhook";
import type { FakeServices } from "../fake-services.ts";
import { anyService, filled } from "./any-service.ts";

/** Doubles of all services. Every method returns a message with all fields set. */
export function filledServices(): FakeServices {
  const batches = {
    survey: {
      ...anyService(SurveyService),
      batchGetSurveys: async ({ surveys }: { surveys: unknown[] }) => ({
        results: surveys.map(() => ({ outcome: { case: "survey", value: filled(SurveySchema) } })),
      }),
    },
    response: {
      ...anyService(ResponseService),
      batchSubmitAnswers: async ({ submissions }: { submissions: unknown[] }) => ({
        results: submissions.map(() => ({ outcome: { case: "submitted", value: filled(SubmittedAnswersSchema) } })),
      }),
    },
  };
  const { batchAuthenticate: _, ...tokens } = anyService(TokenService);
  return {
    token: tokens,
    audit: anyService(AuditService),
    ...batches,
    exports: {
      ...anyService(ExportService),
      // The stream has one byte.
      getDownload: async () => ({ fileName: "a.csv", mediaType: "text/csv", sizeBytes: 1n, etag: '"a"' }),
    },
    files: anyService(FileService),
    responseImports: anyService(ResponseImportService),
    contact: anyService(ContactService),
    links: anyService(LinkService),
    linkResponses: anyService(LinkResponseService),
    subscription: anyService(SubscriptionService),
    feed: anyService(FeedService),
    distributor: anyService(DistributorService),
    delivery: anyService(DeliveryService),
  } as never;
}
