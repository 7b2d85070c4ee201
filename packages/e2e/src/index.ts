export {
  createApiClient,
  type ApiResponse,
  type ApiClient,
  type ApiError,
  type CallOptions,
  type Json,
} from "./api-client.ts";
export { readBfiItems, readBfiRespondents, type BfiItem, type BfiRespondent } from "./bfi.ts";
export { bfiAnswers, publishBfiSurvey, type BfiSurvey } from "./bfi-survey.ts";
export { readFeed, type FeedEvent } from "./read-feed.ts";
export { copyServerData, startDemoSystem, type DemoSystem, type DemoSystemOptions } from "./demo-system.ts";
export { verifyingReceiver, type InterceptedResponse, type VerifyingReceiver } from "./webhook-receiver.ts";
export { createWorkspace, type OtherWorkspace } from "./second-workspace.ts";
