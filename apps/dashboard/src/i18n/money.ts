export { formatMoney } from "@nido/contract";
