<?php
// What every site does for the platform: themes that are shared, one-click sign-in, mail, and telling when its
// pages or its timetable have changed.

register_theme_directory( ABSPATH . 'wp-content/themes' );

require __DIR__ . '/sign-in.php';
require __DIR__ . '/mail.php';
require __DIR__ . '/changes.php';
require __DIR__ . '/shared-core.php';
