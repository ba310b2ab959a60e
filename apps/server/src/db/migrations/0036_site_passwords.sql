CREATE TABLE "site_passwords" (
	"project_id" uuid NOT NULL,
	"branch" text NOT NULL,
	"hash" text NOT NULL,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_passwords_project_id_branch_pk" PRIMARY KEY("project_id","branch")
);
--> statement-breakpoint
ALTER TABLE "site_passwords" ADD CONSTRAINT "site_passwords_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;