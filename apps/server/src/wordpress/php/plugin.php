<?php
// The must-use plugin of every site: shared themes, one-click sign-in, mail, and reports of changed pages and cron
// schedules.

register_theme_directory( ABSPATH . 'wp-content/themes' );

require __DIR__ . '/sign-in.php';
require __DIR__ . '/mail.php';
require __DIR__ . '/invalidate-pages.php';
require __DIR__ . '/report-next-cron.php';
require __DIR__ . '/shared-core.php';
