<?php
// Brings a site's database to the WordPress that runs this, or only says whether that is needed. Run by the
// platform, never reached by a visitor.
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
if ( isset( $_SERVER['NIDO_ASK'] ) ) {
	echo (int) get_option( 'db_version' ) === (int) $GLOBALS['wp_db_version'] ? 'not needed' : 'needed';
	return;
}
wp_upgrade();
echo 'upgraded';
