CREATE TABLE "disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"sub_id" text NOT NULL,
	"invoice_id" text NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"sub_id" text,
	"name" text,
	"reason" text NOT NULL,
	"invoice_id" text,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"state" text DEFAULT 'owed' NOT NULL,
	"problem" text,
	"attempt" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_sub_id_unique" UNIQUE("sub_id")
);
--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_sub_id_subscriptions_id_fk" FOREIGN KEY ("sub_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disputes_subscription" ON "disputes" USING btree ("sub_id");--> statement-breakpoint
CREATE INDEX "refunds_invoice" ON "refunds" USING btree ("invoice_id");--> statement-breakpoint
CREATE INDEX "refunds_state" ON "refunds" USING btree ("state");