import { ConfigError, type ConfigRule, type Logger } from "@canvass/telemetry";
import { readFileSync } from "node:fs";
import { Type, type Static, type TObject } from "typebox";
import { createMailer, type Mailer } from "./mailer.ts";

export const mailEnvironment = {
  CANVASS_SMTP_URL: Type.Optional(
    Type.String({ description: "smtp:// or smtps:// address of the server that mail is handed to" }),
  ),
  CANVASS_SMTP_CA_FILE: Type.Optional(
    Type.String({
      description: "PEM certificates trusted for that server besides the usual ones",
      examples: ["/etc/canvass/smtp-ca.pem"],
    }),
  ),
  CANVASS_MAIL_DIR: Type.Optional(
    Type.String({
      description: "directory in which every mail becomes an .eml file while there is no server",
      examples: ["/tmp"],
    }),
  ),
  CANVASS_MAIL_FROM: Type.String({ default: "Canvass <noreply@localhost>", description: "sender of every mail" }),
} as const;

type MailConfig = Static<TObject<typeof mailEnvironment>>;

export const mailRule: ConfigRule<MailConfig> = {
  variables: ["CANVASS_SMTP_URL", "CANVASS_SMTP_CA_FILE", "CANVASS_MAIL_FROM"],
  validate: createConfigured,
};

/** Without an SMTP server and a directory, logs a warning and returns undefined: mails stay queued. */
export function openMailer(config: MailConfig, log: Logger): Mailer | undefined {
  const mailer = createConfigured(config);
  if (!mailer)
    log.warn("neither CANVASS_SMTP_URL nor CANVASS_MAIL_DIR is set: mails are kept in the database and not sent");
  return mailer;
}

function createConfigured(config: MailConfig): Mailer | undefined {
  const { CANVASS_SMTP_URL: smtpUrl, CANVASS_MAIL_DIR: mailDir, CANVASS_MAIL_FROM: from } = config;
  if (smtpUrl) return nameVariable(() => createMailer({ smtpUrl, from, extraCa: readCa(config.CANVASS_SMTP_CA_FILE) }));
  return mailDir ? nameVariable(() => createMailer({ mailDir, from })) : undefined;
}

const variables = { smtpUrl: "CANVASS_SMTP_URL", from: "CANVASS_MAIL_FROM" } as const;

/** Names the variable instead of the option in errors. */
function nameVariable(create: () => Mailer): Mailer {
  try {
    return create();
  } catch (cause) {
    const { message } = cause as Error;
    throw new ConfigError(
      message.replace(/^(smtpUrl|from)\b/, (option) => variables[option as keyof typeof variables]),
      { cause },
    );
  }
}

function readCa(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new ConfigError("CANVASS_SMTP_CA_FILE cannot be read", { cause });
  }
}
