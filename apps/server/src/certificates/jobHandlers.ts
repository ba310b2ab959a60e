import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import type { CertificateOrders } from "./CertificateOrders.ts";
import { orderCertificateJob, planCertificatesJob, reconcileCertificatesJob } from "./jobs.ts";
import { orderCertificate } from "./orderCertificate.ts";
import { planCertificates, reconcileCertificates } from "./planCertificates.ts";

export function certificateJobHandlers(orders: CertificateOrders): JobHandler[] {
  return [
    handleJob(orderCertificateJob, ({ name }) => orderCertificate(orders, name)),
    handleJob(planCertificatesJob, () => planCertificates(orders)),
    handleJob(reconcileCertificatesJob, () => reconcileCertificates(orders)),
  ];
}
