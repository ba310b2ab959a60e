CREATE TABLE "domain_holders" (
	"domain" text NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "domain_holders_domain_user_id_pk" PRIMARY KEY("domain","user_id")
);
--> statement-breakpoint
ALTER TABLE "domains" DROP CONSTRAINT "domains_domain_unique";--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "redirects_to" text;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "is_primary" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "seen" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "verified_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "next_check_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "held_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "domain_holders" ADD CONSTRAINT "domain_holders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "domains_due" ON "domains" USING btree ("next_check_at");--> statement-breakpoint
CREATE INDEX "domains_domain" ON "domains" USING btree ("domain");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_served" ON "domains" USING btree ("domain") WHERE status in ('verified', 'failing');--> statement-breakpoint
CREATE UNIQUE INDEX "domains_primary" ON "domains" USING btree ("project_id") WHERE is_primary;