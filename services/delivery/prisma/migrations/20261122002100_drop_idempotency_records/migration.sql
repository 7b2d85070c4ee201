-- No call of this service carries an idempotency key, so nothing ever wrote or read it.
DROP TABLE "idempotency_records";
