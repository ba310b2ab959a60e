ALTER TABLE "payouts" ADD COLUMN "iban" "bytea";--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "iban_end" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "iban" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "iban_end" text DEFAULT '' NOT NULL;