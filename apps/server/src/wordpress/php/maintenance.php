<?php
// While the owner works on the site, visitors see only that. Whoever is signed in sees the site.
add_action(
	'template_redirect',
	static function () {
		if ( ! isset( $_SERVER['NIDO_MAINTENANCE'] ) || is_user_logged_in() ) {
			return;
		}
		header( 'Retry-After: 600' );
		header( 'X-Nido-Keep: no' ); // not even an earlier page
		$is_spanish = str_starts_with( get_locale(), 'es' );
		$title      = $is_spanish ? 'Volvemos enseguida' : 'We will be back soon';
		$text       = $is_spanish ? 'Estamos trabajando en este sitio. Vuelve a intentarlo dentro de un rato.' : 'We are working on this site. Please try again in a little while.';
		wp_die( '<h1>' . esc_html( $title ) . '</h1><p>' . esc_html( $text ) . '</p>', esc_html( $title ), array( 'response' => 503 ) );
	},
	0
);
