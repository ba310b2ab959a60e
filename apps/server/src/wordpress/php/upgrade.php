<?php
// Upgrades a site's database to the running WordPress version, or only reports whether that is needed. Run by the
// platform; visitors cannot reach it.
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
if ( isset( $_SERVER['NIDO_CHECK'] ) ) {
	echo (int) get_option( 'db_version' ) === (int) $GLOBALS['wp_db_version'] ? 'not needed' : 'needed';
	return;
}
wp_upgrade();
echo 'upgraded';
