/** Event kinds a subscription can name (spec 6.2). `webhook.test` is sent by the test operation only. */
export const subscribableEventTypes: readonly string[] = ["response.completed"];

/** What a subscription listens to when it names nothing. */
export const defaultEventTypes: readonly string[] = ["response.completed"];
