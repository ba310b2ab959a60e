CREATE TABLE "activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"project_id" uuid,
	"kind" text NOT NULL,
	"params" jsonb NOT NULL,
	"actor" jsonb NOT NULL,
	"undo" jsonb,
	"undoes" bigint,
	"key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "activity_undoes_unique" UNIQUE("undoes"),
	CONSTRAINT "activity_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "data_exports" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"size" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone DEFAULT now() + interval '1 day' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_user" ON "activity" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "activity_project" ON "activity" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "activity_age" ON "activity" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "users_closed" ON "users" USING btree ("closed_at") WHERE closed_at is not null and removed_at is null;--> statement-breakpoint
CREATE FUNCTION "refuse_update"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'table % is append-only', TG_TABLE_NAME; END $$;--> statement-breakpoint
CREATE TRIGGER "activity_append_only" BEFORE UPDATE ON "activity" FOR EACH ROW EXECUTE FUNCTION "refuse_update"();
