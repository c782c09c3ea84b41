/**
 * The last file of migrations/, by which the Worker recognizes tables that are older than itself; a test compares them.
 */
export const SCHEMA = "0021_speed_limits.sql";
