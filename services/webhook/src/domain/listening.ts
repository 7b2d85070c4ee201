/** Event kinds a subscription can name (contract 8.1). `webhook.test` is sent by the test operation only. */
export const subscribableEventTypes: readonly string[] = ["response.completed"];

/** What a subscription listens to when it names nothing. */
export const defaultEventTypes: readonly string[] = ["response.completed"];
