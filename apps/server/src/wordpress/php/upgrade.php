<?php
// Brings a site's database to the WordPress that runs this. Run by the platform, never reached by a visitor.
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_upgrade();
echo 'upgraded';
