<?php
// Mail goes into a folder, from which the platform sends it. WordPress builds the message as always.
add_filter(
	'pre_wp_mail',
	static function ( $decided ) {
		require_once __DIR__ . '/class-nido-mailer.php';
		if ( ! ( $GLOBALS['phpmailer'] ?? null ) instanceof Nido_Mailer ) {
			$GLOBALS['phpmailer'] = new Nido_Mailer( true );
		}
		return $decided;
	}
);
