import { anyRequests } from "./any-requests.ts";

// Many more requests: any-requests.nightly.ts.
anyRequests({ proper: 3, odd: 6 });
