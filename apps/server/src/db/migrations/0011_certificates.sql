CREATE TABLE "acme_accounts" (
	"authority" text PRIMARY KEY NOT NULL,
	"key" "bytea" NOT NULL,
	"url" text
);
--> statement-breakpoint
CREATE TABLE "acme_challenges" (
	"token" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"key_authorization" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificate_orders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"registered_domain" text NOT NULL,
	"authority" text NOT NULL,
	"url" text,
	"key" "bytea",
	"status" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "certificates" (
	"name" text PRIMARY KEY NOT NULL,
	"chain" text,
	"key" "bytea",
	"not_after" timestamp with time zone,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"renewal_checked_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "certificate_orders_open" ON "certificate_orders" USING btree ("name") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "certificate_orders_recent" ON "certificate_orders" USING btree ("authority","created_at");--> statement-breakpoint
CREATE INDEX "certificate_orders_domain" ON "certificate_orders" USING btree ("registered_domain","created_at");--> statement-breakpoint
CREATE INDEX "certificates_due" ON "certificates" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "certificates_expiry" ON "certificates" USING btree ("renewal_checked_at");