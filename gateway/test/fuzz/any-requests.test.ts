import { testAnyRequests } from "./any-requests.ts";

// Many more requests: any-requests.nightly.ts.
testAnyRequests({ proper: 3, odd: 6 });
