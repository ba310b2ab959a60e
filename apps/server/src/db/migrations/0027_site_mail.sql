CREATE TABLE "site_mail" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_mail_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"recipients" text NOT NULL,
	"subject" text NOT NULL,
	"status" text NOT NULL,
	"problem" text DEFAULT '' NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "site_mail" ADD CONSTRAINT "site_mail_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "site_mail_name" ON "site_mail" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "site_mail_age" ON "site_mail" USING btree ("at");