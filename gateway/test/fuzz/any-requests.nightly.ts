import { testAnyRequests } from "./any-requests.ts";

testAnyRequests({ proper: 25, odd: 50 });
