/** How an attempt ended (contract 8.10). */
export type Outcome = "success" | "http_error" | "gone" | "connection_error" | "no_response" | "blocked";
