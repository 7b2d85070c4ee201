export { testSmtp, type ReceivedMail, type TestSmtp, type TestSmtpOptions } from "./test-smtp.ts";
